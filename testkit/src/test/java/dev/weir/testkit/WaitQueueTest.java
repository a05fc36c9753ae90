package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiterException;
import dev.weir.TokenBucket;
import dev.weir.local.LocalRateLimiter;
import dev.weir.wait.WaitQueue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The queue in front of a store that answers when the test lets it. */
class WaitQueueTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.of("p", TokenBucket.smooth(1, 1, SECOND));

  private record Asked(String key, CompletableFuture<Decision> answer) {}

  private final ManualClock clock = new ManualClock();
  private final ManualTimer timer = new ManualTimer(clock);
  private final LocalRateLimiter limiter =
      LocalRateLimiter.builder(POLICY).timeSource(clock).build();
  private final Deque<Asked> asked = new ArrayDeque<>();
  private final WaitQueue queue =
      new WaitQueue(
          (key, permits, charge) -> {
            if (!charge) {
              return limiter.peekAsync(key, permits);
            }
            Asked call = new Asked(key, new CompletableFuture<>());
            asked.add(call);
            return call.answer();
          },
          timer);

  private CompletableFuture<Decision> acquire() {
    return queue.acquireAsync("u", 1, SECOND.multipliedBy(5));
  }

  /** The store decides what it was asked first. */
  private void answer() {
    Asked call = Objects.requireNonNull(asked.poll());
    boolean unused = call.answer().complete(limiter.tryAcquire(call.key(), 1));
  }

  private void assertEmpty() {
    assertThat(queue.waiting()).isZero();
    assertThat(queue.keys()).isZero();
    assertThat(timer.pending()).isZero();
    assertThat(asked).isEmpty();
  }

  @Test
  void oneCallOfAKeyIsAskedForAtATimeAndOnceForEachWait() {
    List<CompletableFuture<Decision>> calls = List.of(acquire(), acquire(), acquire());
    CompletableFuture<Decision> other = queue.acquireAsync("v", 1, SECOND);
    assertThat(asked).extracting(Asked::key).containsExactly("u", "v");
    answer();
    answer();
    assertThat(calls.get(0)).isCompleted();
    assertThat(other).isCompleted();
    for (int turn = 1; turn < 3; turn++) {
      assertThat(asked).hasSize(1);
      answer();
      timer.advance(999_999);
      assertThat(asked).isEmpty();
      timer.advance(1);
      answer();
      assertThat(calls.get(turn)).isCompletedWithValueMatching(Decision::allowed);
    }
    assertEmpty();
  }

  @Test
  void aCallThatIsBeingChargedCannotBeCancelled() {
    CompletableFuture<Decision> admitted = acquire();
    assertThat(admitted.cancel(true)).isFalse();
    answer();
    assertThat(admitted).isCompletedWithValueMatching(Decision::allowed);
    CompletableFuture<Decision> refused = acquire();
    assertThat(refused.cancel(true)).isFalse();
    answer();
    assertThat(refused).isCancelled();
    assertEmpty();
  }

  @Test
  void aFailureIsForTheOneThatWasAskedFor() {
    CompletableFuture<Decision> first = acquire();
    CompletableFuture<Decision> second = acquire();
    RateLimiterException failure = new RateLimiterException("no permission", null);
    boolean unused = Objects.requireNonNull(asked.poll()).answer().completeExceptionally(failure);
    assertThatThrownBy(first::join).hasCause(failure);
    answer();
    assertThat(second).isCompletedWithValueMatching(Decision::allowed);
    assertEmpty();
  }

  @Test
  void whoeverCameBeforeTheFirstAnswerIsToldThatItIsHopelessWithIt() {
    CompletableFuture<Decision> first = acquire();
    CompletableFuture<Decision> second = queue.acquireAsync("u", 1, SECOND);
    CompletableFuture<Decision> third = queue.acquireAsync("u", 1, SECOND);
    answer();
    assertThat(first).isCompleted();
    assertThat(second).isNotDone();
    assertThat(third).isCompletedWithValueMatching(decision -> !decision.allowed());
    assertThat(second.cancel(true)).isFalse();
    answer();
    assertEmpty();
  }

  @Test
  void aCallBehindOneThatIsNotAnsweredIsRefusedInTime() {
    CompletableFuture<Decision> first = acquire();
    CompletableFuture<Decision> second = queue.acquireAsync("u", 1, Duration.ofMillis(10));
    timer.advance(9_999);
    assertThat(second).isNotDone();
    timer.advance(1);
    assertThat(second).isCompletedWithValueMatching(decision -> !decision.allowed());
    answer();
    assertThat(first).isCompleted();
    assertEmpty();
  }

  @Test
  void anAnswerFromBeforeAResetDoesNotCount() {
    assertThat(limiter.tryAcquire("u").allowed()).isTrue();
    CompletableFuture<Decision> call = queue.acquireAsync("u", 1, Duration.ofMillis(10));
    Asked outdated = Objects.requireNonNull(asked.poll());
    Decision refusal = limiter.tryAcquire("u");
    limiter.reset("u");
    queue.askAgain("u");
    boolean unused = outdated.answer().complete(refusal);
    assertThat(call).isNotDone();
    answer();
    assertThat(call).isCompletedWithValueMatching(Decision::allowed);
    assertEmpty();
  }

  @Test
  void aFutureThatIsCompletedFromOutsideWaitsNoLonger() {
    assertThat(limiter.tryAcquire("u").allowed()).isTrue();
    CompletableFuture<Decision> first = acquire();
    answer();
    CompletableFuture<Decision> second = acquire();
    for (CompletableFuture<Decision> call : List.of(second, first)) {
      boolean unused = call.completeExceptionally(new CancellationException());
    }
    assertEmpty();
  }

  @Test
  void aClosedRefusalIsTriedAgainAfterItsWait() {
    CompletableFuture<Decision> call = acquire();
    Decision closed = Decision.closed(POLICY, 1, FailureCause.CONNECTION, Duration.ofMillis(250));
    boolean unused = Objects.requireNonNull(asked.poll()).answer().complete(closed);
    // How much is free is not known, so nobody is refused for what the limit would say.
    CompletableFuture<Decision> behind = queue.acquireAsync("u", 1, Duration.ofMillis(250));
    assertThat(behind).isNotDone();
    timer.advance(250_000);
    assertThat(behind).isCompletedWithValueMatching(decision -> !decision.allowed());
    answer();
    assertThat(call).isCompletedWithValueMatching(Decision::allowed);
    assertEmpty();
  }

  @Test
  void closingEndsAllWaiting() {
    assertThat(limiter.tryAcquire("u").allowed()).isTrue();
    CompletableFuture<Decision> first = acquire();
    answer();
    CompletableFuture<Decision> second = acquire();
    queue.close();
    for (CompletableFuture<Decision> call : List.of(first, second)) {
      assertThatThrownBy(call::join).hasMessageContaining("closed while the call waited");
    }
    assertEmpty();
  }

  @Test
  void aFullQueueRefusesAtOnceWhoWouldWaitBehindOthers() {
    assertThat(limiter.tryAcquire("u").allowed()).isTrue();
    Duration week = Duration.ofDays(7);
    List<CompletableFuture<Decision>> calls = new ArrayList<>();
    calls.add(queue.acquireAsync("u", 1, week));
    answer();
    while (calls.size() < WaitQueue.MAX_WAITERS) {
      calls.add(queue.acquireAsync("u", 1, week));
    }
    assertThat(queue.waiting()).isEqualTo(WaitQueue.MAX_WAITERS);
    assertThat(queue.acquireAsync("u", 1, week))
        .isCompletedWithValueMatching(decision -> !decision.allowed());
    CompletableFuture<Decision> other = queue.acquireAsync("v", 1, week);
    answer();
    assertThat(other).isCompletedWithValueMatching(Decision::allowed);
    assertThat(calls.get(7).cancel(true)).isTrue();
    assertThat(queue.acquireAsync("u", 1, week)).isNotDone();
    queue.close();
    assertEmpty();
  }

  @Test
  void argumentsOutOfRangeAreSaidAtOnceBehindOthersToo() {
    CompletableFuture<Decision> unused = acquire();
    assertThatThrownBy(() -> queue.acquireAsync("u", -1, SECOND))
        .hasMessage("permits must be from 0 to 1000000000, and were -1");
    assertThatThrownBy(() -> queue.acquireAsync("u", 1_000_000_001, SECOND))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(queue.waiting()).isEqualTo(1);
  }

  /** By the machine's time: what is charged is what was served, whoever gives up when. */
  @Test
  void manyThreadsThatComeAndGoAreChargedForWhatTheyGot() {
    int budget = 1_000_000;
    LocalRateLimiter real =
        LocalRateLimiter.create(
            RateLimitPolicy.of(
                "p",
                FixedWindow.of(budget, Duration.ofHours(1)),
                TokenBucket.smooth(5, 4_000, SECOND)));
    WaitQueue waiting =
        new WaitQueue((k, n, charge) -> charge ? real.tryAcquireAsync(k, n) : real.peekAsync(k, n));
    AtomicLong admitted = new AtomicLong();
    AtomicLong ended = new AtomicLong();
    long each = 400;
    long cancelled =
        Threads.sum(
            8,
            thread -> {
              Random random = new Random(Seed.get() + thread);
              long withdrawn = 0;
              for (int i = 0; i < each; i++) {
                long micros = random.nextInt(20_000);
                CompletableFuture<Decision> call =
                    waiting.acquireAsync("u", 1, Duration.ofNanos(micros * 1_000L));
                CompletableFuture<?> unused =
                    call.whenComplete(
                        (decision, failure) -> {
                          ended.incrementAndGet();
                          admitted.addAndGet(decision != null && decision.allowed() ? 1 : 0);
                        });
                LockSupport.parkNanos(random.nextInt(500_000));
                withdrawn += random.nextInt(3) == 0 && call.cancel(true) ? 1 : 0;
              }
              return withdrawn;
            });
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (ended.get() < 8 * each && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(ended.get()).as("-Dweir.seed=%d", Seed.get()).isEqualTo(8 * each);
    assertThat(budget - real.peek("u").limits().get(0).remaining()).isEqualTo(admitted.get());
    assertThat(cancelled).isPositive();
    assertThat(waiting.waiting()).isZero();
    assertThat(waiting.keys()).isZero();
  }
}
