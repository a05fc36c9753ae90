package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.JointDecision;
import dev.weir.JointLimiter;
import dev.weir.JointPart;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.local.LocalRateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Promise 4 for several keys: a call is charged to all of them or to none. */
abstract class JointPromises extends HarnessTest {

  private static final Duration HOUR = Duration.ofHours(1);

  static Stream<Arguments> pairs() {
    return Stream.of(Shape.values())
        .flatMap(one -> Stream.of(Shape.values()).map(other -> Arguments.of(one, other)));
  }

  private RateLimiter named(String name, Shape shape, long permits) {
    return store().limiter(RateLimitPolicy.of(name, shape.of(permits, HOUR)));
  }

  private Object state(RateLimiter limiter, String key) {
    return store().storedState(limiter.policy(), key);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void promise4SeveralKeysAreChargedAllOrNone(Shape one, Shape other) {
    RateLimiter user = named("user", one, 2);
    RateLimiter tenant = named("tenant", other, 5);
    for (List<JointPart> parts :
        List.of(
            List.of(JointPart.of(user, "u"), JointPart.of(tenant, "t")),
            List.of(JointPart.of(tenant, "t2"), JointPart.of(user, "u2")))) {
      for (int call = 0; call < 2; call++) {
        assertTrue(decide(parts).allowed());
      }
      List<Object> before = parts.stream().map(it -> state(it.limiter(), it.key())).toList();
      JointDecision refused = decide(parts);
      assertEquals(false, refused.allowed());
      assertEquals("user", refused.refusal().orElseThrow().policy().name());
      assertTrue(refused.limitedBy().orElseThrow().startsWith("user/"));
      assertEquals(
          before, parts.stream().map(it -> state(it.limiter(), it.key())).toList(), "no charge");
      for (JointPart part : parts) {
        long limit = part.limiter() == user ? 2 : 5;
        assertEquals(limit - 2, part.limiter().peek(part.key()).remaining());
      }
    }
  }

  private static JointDecision decide(List<JointPart> parts) {
    return JointLimiter.tryAcquire(parts.toArray(JointPart[]::new));
  }

  @Test
  void b07TheGlobalLimitIsNotBurntByRefusals() {
    RateLimiter user = named("user", Shape.FIXED_WINDOW_FIRST_CHARGE, 1);
    RateLimiter global = named("global", Shape.SLIDING_WINDOW_LOG, 10);
    int admitted = 0;
    for (int i = 0; i < 20; i++) {
      admitted +=
          JointLimiter.tryAcquire(JointPart.of(user, "U"), JointPart.of(global, "all")).allowed()
              ? 1
              : 0;
    }
    assertEquals(1, admitted);
    assertEquals(9, global.peek("all").remaining());
    assertTrue(
        JointLimiter.tryAcquire(JointPart.of(user, "V"), JointPart.of(global, "all")).allowed());
  }

  @Test
  void theWaitIsTheLongestAndCostsDiffer() {
    RateLimiter slow = named("slow", Shape.TOKEN_BUCKET_SMOOTH, 1);
    RateLimiter fast =
        store().limiter(RateLimitPolicy.of("fast", Shape.TOKEN_BUCKET_SMOOTH.of(3, seconds(3))));
    List<JointPart> parts = List.of(new JointPart(fast, "k", 3), new JointPart(slow, "k", 1));
    JointDecision first = decide(parts);
    assertEquals(List.of(0L, 0L), first.decisions().stream().map(Decision::remaining).toList());
    JointDecision second = decide(parts);
    assertEquals(HOUR, second.retryAfter().toDuration());
    assertEquals("slow", second.refusal().orElseThrow().policy().name());
    JointDecision never = decide(List.of(new JointPart(fast, "k", 4), new JointPart(slow, "k", 1)));
    assertTrue(never.retryAfter().isNever());
  }

  @Test
  void aKeyTwiceIsAnError() {
    RateLimiter user = named("user", Shape.LEAKY_BUCKET_POLICING, 5);
    assertThrows(
        IllegalArgumentException.class,
        () -> JointLimiter.tryAcquire(JointPart.of(user, "u"), JointPart.of(user, "u")));
    assertThrows(IllegalArgumentException.class, JointLimiter::tryAcquire);
    assertEquals(5, user.peek("u").remaining());
  }

  /**
   * Callers that name the keys in any order never admit too much, and never wait for each other.
   */
  @Test
  void promise1ManyCallersInAnyOrder() {
    RateLimiter one = named("one", Shape.FIXED_WINDOW_FIRST_CHARGE, 50);
    RateLimiter other = named("other", Shape.TOKEN_BUCKET_INTERVAL, 70);
    List<CompletableFuture<Integer>> callers = new ArrayList<>();
    for (int caller = 0; caller < 8; caller++) {
      Random random = new Random(Seed.get() + caller);
      callers.add(
          CompletableFuture.supplyAsync(
              () -> {
                int admitted = 0;
                for (int i = 0; i < 25; i++) {
                  JointPart a = JointPart.of(one, "k");
                  JointPart b = JointPart.of(other, "k");
                  admitted +=
                      decide(random.nextBoolean() ? List.of(a, b) : List.of(b, a)).allowed()
                          ? 1
                          : 0;
                }
                return admitted;
              }));
    }
    assertEquals(50, callers.stream().mapToInt(CompletableFuture::join).sum());
    assertEquals(20, other.peek("k").remaining());
  }

  /** In two places: what the first was charged is given back when the second refuses. */
  @Test
  void keysInTwoPlacesAreGivenBack() {
    RateLimiter here = named("here", Shape.TOKEN_BUCKET_SMOOTH, 10);
    RateLimiter elsewhere =
        LocalRateLimiter.builder(RateLimitPolicy.of("elsewhere", FixedWindow.of(3, HOUR)))
            .timeSource(() -> clock().epochMicros())
            .build();
    int admitted = 0;
    for (int i = 0; i < 20; i++) {
      JointDecision decision =
          decide(List.of(JointPart.of(here, "k"), JointPart.of(elsewhere, "k")));
      admitted += decision.allowed() ? 1 : 0;
      assertEquals(2, decision.decisions().size());
    }
    assertEquals(3, admitted);
    assertEquals(7, here.peek("k").remaining());
    assertEquals(0, elsewhere.peek("k").remaining());
    JointDecision second = decide(List.of(JointPart.of(elsewhere, "k"), JointPart.of(here, "k")));
    assertEquals(1, second.decisions().size(), "the second place is not asked");
  }
}
