package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.Wait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Promises 1 to 4, 7 and 11: who is charged what. */
abstract class ChargingPromises extends HarnessTest {

  private static final int THREADS = 16;
  private static final int CALLS = 60;
  private static final Duration HOUR = Duration.ofHours(1);

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise1ManyThreadsAreAdmittedWhatOneWouldBe(Shape shape) {
    RateLimiter limiter = limiter(shape.of(THREADS * CALLS / 2, HOUR));
    long admitted = Threads.sum(THREADS, thread -> admitted(limiter, KEY, CALLS));
    assertEquals(THREADS * CALLS / 2, admitted);
  }

  @Test
  void promise1ManyThreadsAndSeveralLimits() {
    RateLimiter limiter =
        limiter(
            Stream.of(Shape.values())
                .map(shape -> shape.of(shape == Shape.SLIDING_WINDOW_LOG ? 200 : 210, HOUR))
                .toArray(Limit[]::new));
    assertEquals(200, Threads.sum(THREADS, thread -> admitted(limiter, KEY, 40)));
    assertEquals(0, limiter.peek(KEY).remaining());
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise1AsynchronousCallsAreChargedOnceEach(Shape shape) {
    RateLimiter limiter = limiter(shape.of(50, HOUR));
    List<CompletableFuture<Decision>> futures = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      futures.add(limiter.tryAcquireAsync(KEY));
    }
    assertEquals(50, futures.stream().filter(future -> future.join().allowed()).count());
    assertEquals(0, limiter.peekAsync(KEY, 1).join().remaining());
    limiter.resetAsync(KEY).join();
    assertEquals(49, limiter.tryAcquireAsync(KEY).join().remaining());
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise1LimitersOfOneStoreShareAKey(Shape shape) {
    RateLimiter first = limiter(shape.of(10, HOUR));
    RateLimiter second = store().sharesState() ? limiter(shape.of(10, HOUR)) : first;
    assertEquals(6, admitted(first, KEY, 6));
    assertEquals(4, admitted(second, KEY, 6));
    refused(first.tryAcquire(KEY));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise2TheClockIsReadOnceForADecision(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    for (long permits : new long[] {1, 0, 9, 5, 11}) {
      long before = clock().readings();
      limiter.tryAcquire(KEY, permits);
      limiter.peek(KEY, permits);
      assertTrue(clock().readings() - before <= 2, "readings: " + (clock().readings() - before));
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise3ARefusalCostsNothing(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    allowed(limiter.tryAcquire(KEY, 8));
    Answer first = Answer.of(refused(limiter.tryAcquire(KEY, 3)));
    Object stored = store().storedState(limiter.policy(), KEY);
    for (int i = 0; i < 20; i++) {
      assertEquals(first, Answer.of(limiter.tryAcquire(KEY, 3)));
    }
    assertEquals(stored, store().storedState(limiter.policy(), KEY));
    assertEquals(0, allowed(limiter.tryAcquire(KEY, 2)).remaining());
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise4AllOrNothingWithAnyOtherLimitInAnyOrder(Shape shape) {
    for (Shape other : Shape.values()) {
      for (boolean tightFirst : new boolean[] {true, false}) {
        allOrNothing(shape, other, tightFirst);
      }
    }
  }

  private void allOrNothing(Shape tightShape, Shape wideShape, boolean tightFirst) {
    Limit tight = tightShape.of(2, Duration.ofMinutes(1));
    Limit wide = wideShape.of(10, HOUR);
    String name = tightShape.name() + "-" + wideShape.name() + "-" + tightFirst;
    RateLimitPolicy.Builder builder = RateLimitPolicy.builder(name);
    builder.limit(tightFirst ? "tight" : "wide", tightFirst ? tight : wide);
    builder.limit(tightFirst ? "wide" : "tight", tightFirst ? wide : tight);
    RateLimiter limiter = store().limiter(builder.build());
    assertEquals(2, admitted(limiter, KEY, 20));
    Decision decision = refused(limiter.tryAcquire(KEY));
    int wideAt = tightFirst ? 1 : 0;
    assertAll(
        () -> assertEquals("tight", decision.limitedBy().orElseThrow()),
        () -> assertEquals(8, decision.limits().get(wideAt).remaining()),
        () -> assertEquals(Wait.NONE, decision.limits().get(wideAt).retryAfter()),
        () -> assertEquals(0, decision.limits().get(1 - wideAt).remaining()),
        () -> assertEquals(0, decision.remaining()),
        () -> assertEquals(2, decision.limit()));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise4TheLongestWaitAmongThoseThatRefuse(Shape shape) {
    RateLimiter limiter =
        store()
            .limiter(
                RateLimitPolicy.builder("test")
                    .limit("short", shape.of(3, Duration.ofMinutes(1)))
                    .limit("long", shape.of(3, HOUR))
                    .limit("middle", shape.of(3, Duration.ofMinutes(2)))
                    .build());
    allowed(limiter.tryAcquire(KEY, 3));
    Decision decision = refused(limiter.tryAcquire(KEY));
    assertEquals("long", decision.limitedBy().orElseThrow());
    assertEquals(decision.limits().get(1).retryAfter(), decision.retryAfter());
    assertEquals(decision.limits().get(1).resetAfter(), decision.resetAfter());
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise7CostZeroIsALookOnAnyKey(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    Object untouched = store().storedState(limiter.policy(), KEY);
    assertEquals(10, allowed(limiter.tryAcquire(KEY, 0)).remaining());
    assertEquals(10, allowed(limiter.peek(KEY, 10)).remaining());
    refused(limiter.peek(KEY, 11));
    assertEquals(untouched, store().storedState(limiter.policy(), KEY));
    allowed(limiter.tryAcquire(KEY, 10));
    Object full = store().storedState(limiter.policy(), KEY);
    assertEquals(0, allowed(limiter.tryAcquire(KEY, 0)).remaining());
    refused(limiter.peek(KEY, 1));
    assertEquals(full, store().storedState(limiter.policy(), KEY));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise7APeekAnswersAsTheCallWould(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    for (long permits : new long[] {4, 4, 4, 2, 1, 11}) {
      Answer peeked = Answer.of(limiter.peek(KEY, permits));
      Answer asked = Answer.of(limiter.tryAcquire(KEY, permits));
      assertEquals(asked.allowed(), peeked.allowed());
      assertEquals(asked.retryAfter(), peeked.retryAfter());
      assertEquals(asked.delay(), peeked.delay());
      assertEquals(asked.remaining() + (asked.allowed() ? permits : 0), peeked.remaining());
    }
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void promise7ArgumentsAreJudgedBeforeAnythingElse(Shape shape) {
    RateLimiter limiter = limiter(shape.of(10, HOUR));
    Object untouched = store().storedState(limiter.policy(), KEY);
    for (long permits : new long[] {-1, -5, Long.MIN_VALUE, Limit.MAX_PERMITS + 1}) {
      assertThrows(IllegalArgumentException.class, () -> limiter.tryAcquire(KEY, permits));
      assertThrows(IllegalArgumentException.class, () -> limiter.peek(KEY, permits));
      assertThrows(IllegalArgumentException.class, () -> limiter.tryAcquireAsync(KEY, permits));
      assertThrows(IllegalArgumentException.class, () -> limiter.peekAsync(KEY, permits));
    }
    assertEquals(untouched, store().storedState(limiter.policy(), KEY));
    assertEquals(9, limiter.tryAcquire(KEY).remaining());
  }

  @Test
  void decisionsSayWhatWasAsked() {
    RateLimiter limiter = limiter(Shape.SLIDING_WINDOW_LOG.of(10, HOUR));
    Decision decision = limiter.tryAcquire(KEY, 3);
    assertEquals(limiter.policy(), decision.policy());
    assertEquals(3, decision.permits());
    assertEquals(10, decision.limit());
    assertEquals(limiter.peek(KEY).source(), decision.source());
  }
}
