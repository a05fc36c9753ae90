package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Concurrency;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import dev.weir.wait.WaitQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What waiting callers are promised, on the store's decisions and a clock that the test moves: B06,
 * B56, B58, B59, B76.
 */
abstract class WaitingPromises extends HarnessTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Limit ONE_PER_SECOND = TokenBucket.smooth(1, 1, Duration.ofSeconds(1));

  /** A queue in front of a limiter of the store, by the test's clock. */
  private final class Waiting {
    final RateLimiter limiter;
    final ManualTimer timer = new ManualTimer(clock());
    final List<String> served = new ArrayList<>();
    final WaitQueue queue;
    long charging;

    Waiting(Limit... limits) {
      limiter = limiter(limits);
      queue = new WaitQueue(this::ask, timer);
    }

    private CompletableFuture<Decision> ask(String key, long permits, boolean charge) {
      charging += charge ? 1 : 0;
      return CompletableFuture.completedFuture(
          charge ? limiter.tryAcquire(key, permits) : limiter.peek(key, permits));
    }

    CompletableFuture<Decision> acquire(String name, long permits, Duration timeout) {
      CompletableFuture<Decision> call = queue.acquireAsync(KEY, permits, timeout);
      CompletableFuture<?> unused =
          call.thenAccept(
              decision -> {
                if (decision.allowed()) {
                  served.add(name + "@" + (clock().now() - ManualClock.MIDNIGHT) / 1e6);
                }
              });
      return call;
    }

    CompletableFuture<Decision> acquire(String name, Duration timeout) {
      return acquire(name, 1, timeout);
    }

    /** Acquires for somebody who is known by its name only. */
    void enter(String name, long permits, Duration timeout) {
      CompletableFuture<Decision> unused = acquire(name, permits, timeout);
    }

    void enter(String name, Duration timeout) {
      enter(name, 1, timeout);
    }

    /** Nobody waits, and nothing is left of those who did. */
    void assertEmpty() {
      assertEquals(0, queue.waiting(), "callers that wait");
      assertEquals(0, queue.keys(), "keys with a line");
      assertEquals(0, timer.pending(), "tasks of the timer");
    }
  }

  private static Decision now(CompletableFuture<Decision> call) {
    assertTrue(call.isDone(), "the answer is there at once");
    return call.join();
  }

  @Test
  void whoWaitsForHeldPermitsGetsThemWhenTheyAreGivenBack() {
    Waiting waiting = new Waiting(Concurrency.of(1, MINUTE));
    Reservation held = waiting.limiter.reserve(KEY, 1, MINUTE);
    waiting.enter("first", MINUTE);
    waiting.enter("second", Duration.ofSeconds(30));
    waiting.timer.advance(10_000_000);
    assertEquals(List.of(), waiting.served);
    waiting.limiter.settle(held, 1);
    waiting.timer.advance(20_000);
    assertEquals(1, waiting.served.size(), "looked at every 20 ms, whoever gave it back");
    waiting.timer.advance(60_000_000);
    assertEquals(1, waiting.served.size(), "the second gave up");
    waiting.assertEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Shape.class,
      names = "CONCURRENCY", // whose permits come back at any time, and which is looked at often
      mode = EnumSource.Mode.EXCLUDE)
  void aCallIsAdmittedAtTheVeryInstantAndChargedOnce(Shape shape) {
    Waiting waiting = new Waiting(shape.of(4, MINUTE));
    allowed(waiting.limiter.tryAcquire(KEY, 4));
    Object before = store().storedState(waiting.limiter.policy(), KEY);
    long wait = refused(waiting.limiter.peek(KEY, 3)).retryAfter().toMicros();
    CompletableFuture<Decision> call = waiting.acquire("a", 3, MINUTE.multipliedBy(3));
    assertEquals(before, store().storedState(waiting.limiter.policy(), KEY), "nothing is reserved");
    waiting.timer.advance(wait - 1);
    assertFalse(call.isDone());
    waiting.timer.advance(1);
    assertEquals(3, allowed(now(call)).permits());
    assertEquals(2, waiting.charging);
    refused(waiting.limiter.tryAcquire(KEY, 4));
    waiting.assertEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Shape.class,
      names = "CONCURRENCY", // whose permits come back at any time, and which is looked at often
      mode = EnumSource.Mode.EXCLUDE)
  void b06ACostThatCanNeverFitIsRefusedAtOnceBehindOthersToo(Shape shape) {
    Waiting waiting = new Waiting(shape.of(3, seconds(2)));
    assertTrue(now(waiting.acquire("a", 4, seconds(5))).retryAfter().isNever());
    assertEquals(0, allowed(now(waiting.acquire("b", 3, seconds(5)))).remaining());
    CompletableFuture<Decision> waits = waiting.acquire("c", 1, seconds(5));
    assertFalse(waits.isDone());
    assertTrue(now(waiting.acquire("d", 4, seconds(5))).retryAfter().isNever());
    assertTrue(now(waiting.acquire("e", 4, FOREVER)).retryAfter().isNever());
    waiting.timer.advance(5_000_000);
    allowed(now(waits));
    waiting.assertEmpty();
  }

  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

  @Test
  void b56AFreedPlaceIsTakenByThoseBehind() {
    Waiting waiting = new Waiting(ONE_PER_SECOND);
    allowed(now(waiting.acquire("0", seconds(1))));
    List<CompletableFuture<Decision>> calls = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      calls.add(waiting.acquire("" + i, seconds(20)));
    }
    assertTrue(calls.get(0).cancel(true));
    assertTrue(calls.get(2).cancel(true));
    assertTrue(calls.get(4).cancel(true));
    waiting.timer.advance(500_000);
    CompletableFuture<Decision> late = waiting.acquire("late", seconds(2.5));
    waiting.timer.advance(9_500_000);
    assertEquals(List.of("0@0.0", "2@1.0", "4@2.0", "late@3.0"), waiting.served);
    allowed(late.join());
    waiting.assertEmpty();
  }

  @Test
  void b56WhoeverIsServedInTenSecondsIsTheRate() {
    Waiting waiting = new Waiting(ONE_PER_SECOND);
    for (int i = 0; i < 40; i++) {
      CompletableFuture<Decision> call = waiting.acquire("" + i, seconds(30));
      if (i % 3 == 1) {
        assertTrue(call.cancel(true));
      }
    }
    waiting.timer.advance(10_000_000);
    assertEquals(11, waiting.served.size(), waiting.served::toString);
    assertEquals("15@10.0", waiting.served.get(10));
  }

  @Test
  void b56AThousandCancelledCallsLeaveNoDebt() {
    Waiting waiting = new Waiting(ONE_PER_SECOND);
    allowed(waiting.limiter.tryAcquire(KEY));
    Object before = store().storedState(waiting.limiter.policy(), KEY);
    for (int i = 0; i < 1_000; i++) {
      CompletableFuture<Decision> call = waiting.acquire("x", seconds(5));
      assertTrue(call.cancel(true));
      assertTrue(call.isCancelled());
    }
    assertEquals(before, store().storedState(waiting.limiter.policy(), KEY));
    waiting.assertEmpty();
    waiting.timer.advance(1_000_000);
    assertEquals(0, allowed(waiting.limiter.tryAcquire(KEY)).remaining());
  }

  @Test
  void b58HopelessWaitsAreRefusedAtOnce() {
    Waiting waiting = new Waiting(TokenBucket.smooth(1, 1, seconds(5)));
    allowed(now(waiting.acquire("a", seconds(5))));
    for (double timeout : new double[] {0, -1, 1, 4.999_999}) {
      refused(now(waiting.acquire("b", seconds(timeout))), seconds(5));
      waiting.assertEmpty();
    }
    CompletableFuture<Decision> call = waiting.acquire("c", seconds(5));
    waiting.timer.advance(4_999_999);
    assertFalse(call.isDone());
    waiting.timer.advance(1);
    allowed(now(call));
    waiting.assertEmpty();
  }

  @Test
  void b58TenCallsTakeNineWaits() {
    Waiting waiting = new Waiting(TokenBucket.smooth(1, 1, seconds(5)));
    for (int i = 0; i < 10; i++) {
      CompletableFuture<Decision> call = waiting.acquire("" + i, seconds(5));
      waiting.timer.advance(call.isDone() ? 0 : 5_000_000);
      allowed(now(call));
    }
    assertEquals(45_000_000, clock().now() - ManualClock.MIDNIGHT);
  }

  @Test
  void theWaitsOfThoseAheadCount() {
    Waiting waiting = new Waiting(ONE_PER_SECOND);
    allowed(now(waiting.acquire("0", seconds(9))));
    for (int i = 1; i <= 5; i++) {
      assertFalse(waiting.acquire("" + i, seconds(i)).isDone());
    }
    refused(now(waiting.acquire("6", seconds(5.999_999))), seconds(6));
    assertFalse(waiting.acquire("6", seconds(6)).isDone());
    waiting.timer.advance(6_000_000);
    assertEquals(
        List.of("0@0.0", "1@1.0", "2@2.0", "3@3.0", "4@4.0", "5@5.0", "6@6.0"), waiting.served);
    waiting.assertEmpty();
  }

  @Test
  void b59TimeoutsWithoutBoundWait() {
    for (Duration timeout :
        List.of(
            FOREVER,
            Duration.ofMillis(Long.MAX_VALUE),
            Duration.ofNanos(Long.MAX_VALUE),
            Duration.ofSeconds(Long.MAX_VALUE / 1_000_000))) {
      Waiting waiting = new Waiting(ONE_PER_SECOND);
      clock().advance(10_000_000);
      allowed(waiting.limiter.tryAcquire(KEY));
      CompletableFuture<Decision> first = waiting.acquire("a", timeout);
      CompletableFuture<Decision> second = waiting.acquire("b", timeout);
      assertFalse(first.isDone() || second.isDone());
      waiting.timer.advance(2_000_000);
      allowed(now(first));
      allowed(now(second));
      waiting.assertEmpty();
    }
    Waiting waiting = new Waiting(ONE_PER_SECOND);
    clock().advance(10_000_000);
    allowed(waiting.limiter.tryAcquire(KEY));
    refused(now(waiting.acquire("c", Duration.ofSeconds(Long.MIN_VALUE))), seconds(1));
  }

  @Test
  void b76SeveralLimitsAreChargedOnceEach() {
    Waiting waiting = new Waiting(FixedWindow.of(10, MINUTE), ONE_PER_SECOND);
    for (int i = 0; i < 5; i++) {
      waiting.enter("" + i, seconds(5));
    }
    waiting.timer.advance(5_000_000);
    assertEquals(5, waiting.served.size());
    assertEquals(5, waiting.limiter.peek(KEY).limits().get(0).remaining());
    waiting.assertEmpty();
  }

  @Test
  void aCheapCallDoesNotPassADearOne() {
    Waiting waiting = new Waiting(TokenBucket.smooth(10, 1, seconds(1)));
    allowed(waiting.limiter.tryAcquire(KEY, 9));
    waiting.enter("dear", 5, MINUTE);
    CompletableFuture<Decision> cheap = waiting.acquire("cheap", 1, MINUTE);
    assertFalse(cheap.isDone(), "one permit is free, and is not for those behind");
    allowed(waiting.limiter.tryAcquire("another key"));
    waiting.timer.advance(5_000_000);
    assertEquals(List.of("dear@4.0", "cheap@5.0"), waiting.served);
  }

  @Test
  void aCallBehindOthersIsRefusedWhenItsTimeIsUpThoughPermitsAreFree() {
    Waiting waiting = new Waiting(SlidingWindowLog.of(10, seconds(10)));
    allowed(waiting.limiter.tryAcquire(KEY, 5));
    waiting.enter("dear", 9, MINUTE);
    refused(now(waiting.acquire("hopeless", 1, seconds(9))));
    CompletableFuture<Decision> cheap = waiting.acquire("cheap", 1, seconds(10.5));
    waiting.timer.advance(2_000_000);
    // A call that does not queue takes what the first waits for.
    allowed(waiting.limiter.tryAcquire(KEY, 5));
    waiting.timer.advance(8_500_000);
    Decision decision = refused(now(cheap));
    assertEquals(1, decision.permits());
    assertEquals(seconds(1.5), decision.retryAfter().toDuration());
    waiting.timer.advance(2_000_000);
    assertEquals(List.of("dear@12.0"), waiting.served);
    waiting.assertEmpty();
  }

  @Test
  void permitsThatComeBackOtherwiseAreTakenAtOnce() {
    Waiting waiting = new Waiting(FixedWindow.of(2, Duration.ofHours(1)));
    allowed(waiting.limiter.tryAcquire(KEY, 2));
    waiting.enter("a", FOREVER);
    waiting.timer.advance(1_000_000);
    waiting.limiter.reset(KEY);
    waiting.queue.askAgain(KEY);
    waiting.enter("b", FOREVER);
    waiting.enter("c", FOREVER);
    waiting.timer.advance(1_000_000);
    waiting.limiter.changePolicy(policy(FixedWindow.of(3, Duration.ofHours(1))));
    waiting.queue.askAgain();
    assertEquals(List.of("a@1.0", "b@1.0", "c@2.0"), waiting.served);
    waiting.assertEmpty();
  }
}
