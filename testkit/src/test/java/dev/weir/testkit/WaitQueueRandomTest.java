package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.local.LocalRateLimiter;
import dev.weir.wait.WaitQueue;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random arrivals, costs, timeouts and cancellations, on a clock that is moved by hand: each call
 * is compared with what the limiter says of the same line served one after the other.
 */
class WaitQueueRandomTest {

  private static final int RUNS = 60;
  private static final int STEPS = 60;

  @ParameterizedTest
  @EnumSource(
      value = Shape.class,
      names = "CONCURRENCY", // whose permits come back at any time, and which is looked at often
      mode = EnumSource.Mode.EXCLUDE)
  void everyCallIsServedInTurnAsEarlyAsCanBeOrRefusedForGoodReason(Shape shape) {
    int[] outcomes = new int[3];
    for (int run = 0; run < RUNS; run++) {
      long seed = Seed.get() + run;
      try {
        new Run(shape, new Random(seed)).run(outcomes);
      } catch (AssertionError e) {
        throw new AssertionError(shape + ", -Dweir.seed=" + seed + ": " + e.getMessage(), e);
      }
    }
    for (int count : outcomes) {
      assertTrue(count > 0, "served after a wait, refused at once, refused later: all occur");
    }
  }

  private record Charge(long atMicros, long permits) {}

  /** One call: when it came, until when it waits, and when it can be served at the earliest. */
  private record Call(
      long number, long arrived, long deadline, long permits, CompletableFuture<Decision> future) {}

  private static final class Run {
    private static final int KEYS = 2;

    private final Shape shape;
    private final Random random;
    private final RateLimitPolicy policy;
    private final long window;
    private final ManualClock clock = new ManualClock();
    private final ManualTimer timer = new ManualTimer(clock);
    private final LocalRateLimiter limiter;
    private final WaitQueue queue;
    private final List<List<Charge>> charges = List.of(new ArrayList<>(), new ArrayList<>());
    private final List<List<Call>> lines = List.of(new ArrayList<>(), new ArrayList<>());
    private final long[] movedUp = new long[KEYS];

    /** Whether others were charged since the store was asked for the first. */
    private final boolean[] passed = new boolean[KEYS];

    private int[] outcomes = {};
    private @Nullable AssertionError found;
    private long calls;

    Run(Shape shape, Random random) {
      this.shape = shape;
      this.random = random;
      this.window = 1_000L + random.nextInt(2_000_000);
      Limit limit = shape.of(1 + random.nextInt(7), Duration.of(window, ChronoUnit.MICROS));
      this.policy = RateLimitPolicy.of("random", limit);
      this.limiter = limiter(clock);
      this.queue = new WaitQueue(this::ask, timer);
    }

    private LocalRateLimiter limiter(ManualClock time) {
      return LocalRateLimiter.builder(policy).timeSource(time).build();
    }

    private CompletableFuture<Decision> ask(String key, long permits, boolean charge) {
      return charge ? limiter.tryAcquireAsync(key, permits) : limiter.peekAsync(key, permits);
    }

    void run(int[] counts) {
      outcomes = counts;
      for (int step = 0; step < STEPS; step++) {
        int key = random.nextInt(KEYS);
        switch (random.nextInt(8)) {
          case 0, 1, 2, 3 -> arrive(key);
          case 4 -> passBy(key);
          case 5 -> cancel(key);
          default -> timer.advance(random.nextInt((int) window));
        }
        if (found != null) {
          throw found;
        }
      }
      timer.advance(window * 4 * (STEPS + 2) * (policy.limits().get(0).limit().capacity() + 1));
      if (found != null) {
        throw found;
      }
      lines.forEach(line -> assertEquals(List.of(), line, "calls that were never decided"));
      assertEquals(0, queue.waiting());
      assertEquals(0, queue.keys());
      assertEquals(0, timer.pending());
    }

    /** Keeps what an action has found wrong, which the future that it hangs on would swallow. */
    private void remember(@Nullable Throwable failure) {
      if (found == null && failure != null && root(failure) instanceof AssertionError error) {
        found = error;
      }
    }

    private static Throwable root(Throwable failure) {
      return failure instanceof CompletionException && failure.getCause() != null
          ? failure.getCause()
          : failure;
    }

    private void arrive(int key) {
      long permits = 1L + random.nextInt((int) policy.limits().get(0).limit().capacity());
      long now = clock.now();
      long timeout = 1L + random.nextInt((int) (window * 3));
      boolean forever = random.nextInt(10) == 0;
      long earliest = earliest(key, permits);
      long deadline = forever ? Long.MAX_VALUE : now + timeout;
      CompletableFuture<Decision> future =
          queue.acquireAsync(
              "key-" + key,
              permits,
              forever
                  ? Duration.ofSeconds(Long.MAX_VALUE)
                  : Duration.of(timeout, ChronoUnit.MICROS));
      Call call = new Call(calls++, now, deadline, permits, future);
      boolean isFirst = lines.get(key).isEmpty();
      if (future.isDone() && !future.join().allowed()) {
        outcomes[1]++;
        assertTrue(earliest > deadline, "refused at once, and could have been served");
        assertTrue(now + future.join().retryAfter().toMicros() <= earliest || !isFirst);
        return;
      }
      if (!future.isDone() && (isFirst || (isExact() && !passed[key]))) {
        assertTrue(earliest - 1 <= deadline, "waits, and nothing can come of it");
      }
      lines.get(key).add(call);
      CompletableFuture<?> unused =
          future
              .whenComplete((decision, failure) -> ended(key, call, decision))
              .whenComplete((decision, failure) -> remember(failure));
    }

    /** Whether the rate alone says when a line is served. */
    private boolean isExact() {
      return switch (shape) {
        case TOKEN_BUCKET_SMOOTH, LEAKY_BUCKET_POLICING, LEAKY_BUCKET_SHAPING -> true;
        default -> false;
      };
    }

    private void passBy(int key) {
      if (limiter.tryAcquire("key-" + key).allowed()) {
        charges.get(key).add(new Charge(clock.now(), 1));
        passed[key] = true;
      }
    }

    private void cancel(int key) {
      List<Call> line = lines.get(key);
      if (!line.isEmpty()) {
        Call call = line.get(random.nextInt(line.size()));
        assertTrue(call.future().cancel(false));
        assertTrue(call.future().isCancelled());
        assertFalse(line.contains(call));
      }
    }

    private void ended(int key, Call call, @Nullable Decision decision) {
      List<Call> line = lines.get(key);
      boolean isFirst = line.get(0).equals(call);
      line.remove(call);
      long now = clock.now();
      if (decision != null && decision.allowed()) {
        outcomes[0] += now > call.arrived() ? 1 : 0;
        assertInTurn(key, call, isFirst);
        charges.get(key).add(new Charge(now, call.permits()));
      } else if (decision != null) {
        outcomes[2]++;
        assertTrue(now <= call.deadline(), "refused too late");
      }
      if (isFirst) {
        movedUp[key] = now;
        passed[key] = false;
      }
    }

    private void assertInTurn(int key, Call call, boolean isFirst) {
      long now = clock.now();
      assertTrue(isFirst, "a later call has passed an earlier one");
      assertTrue(now <= call.deadline(), "served after its time");
      ManualClock time = new ManualClock();
      LocalRateLimiter reference = replay(key, time);
      if (now > Math.max(call.arrived(), movedUp[key])) {
        time.set(now - 1);
        assertFalse(reference.peek("u", call.permits()).allowed(), "could have been served before");
      }
      time.set(now);
      assertTrue(reference.tryAcquire("u", call.permits()).allowed(), "served too much");
    }

    /** A limiter that was charged what this key was. */
    private LocalRateLimiter replay(int key, ManualClock time) {
      LocalRateLimiter reference = limiter(time);
      for (Charge charge : charges.get(key)) {
        time.set(charge.atMicros());
        assertTrue(reference.tryAcquire("u", charge.permits()).allowed());
      }
      time.set(clock.now());
      return reference;
    }

    /** When a new call would be served, if all ahead of it are, and nobody comes between. */
    private long earliest(int key, long permits) {
      ManualClock time = new ManualClock();
      LocalRateLimiter reference = replay(key, time);
      for (Call ahead : lines.get(key)) {
        time.advance(reference.peek("u", ahead.permits()).retryAfter().toMicros());
        assertTrue(reference.tryAcquire("u", ahead.permits()).allowed());
      }
      return time.now() + reference.peek("u", permits).retryAfter().toMicros();
    }
  }
}
