package dev.weir.decorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.local.LocalRateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Calls that are let in are made once, those that are refused are not made. */
class GuardTest {

  private final AtomicInteger made = new AtomicInteger();

  private static RateLimiter limiter(Limit limit) {
    return LocalRateLimiter.create(RateLimitPolicy.of("calls", limit));
  }

  private static Guard guard(Limit limit) {
    return Guard.of(limiter(limit), "k");
  }

  private static Limit twoAnHour() {
    return FixedWindow.of(2, Duration.ofHours(1));
  }

  @Test
  void eachFormLetsInWhatTheLimitAdmits() throws Exception {
    Supplier<Integer> supplier = guard(twoAnHour()).supplier(made::incrementAndGet);
    assertThat(supplier.get() + supplier.get()).isEqualTo(3);
    assertThatThrownBy(supplier::get)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("calls")
        .hasMessageContaining("fixed-window");
    Callable<Integer> callable = guard(twoAnHour()).callable(made::incrementAndGet);
    assertThat(callable.call() + callable.call()).isEqualTo(7);
    assertThatThrownBy(callable::call).isInstanceOf(RefusedException.class);
    Runnable runnable = guard(twoAnHour()).permits(2).runnable(made::incrementAndGet);
    runnable.run();
    assertThatThrownBy(runnable::run)
        .isInstanceOfSatisfying(
            RefusedException.class, it -> assertThat(it.decision().permits()).isEqualTo(2));
    assertThat(made).hasValue(5);
  }

  @Test
  void aRefusedStageFailsAndItsCallIsNotMade() {
    Supplier<CompletableFuture<Integer>> stage =
        guard(twoAnHour()).stage(() -> CompletableFuture.completedFuture(made.incrementAndGet()));
    assertThat(stage.get().join() + stage.get().join()).isEqualTo(3);
    assertThatThrownBy(() -> stage.get().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(RefusedException.class);
    assertThat(made).hasValue(2);
  }

  @Test
  void whatIsHeldIsFreeWhenTheCallIsOverHoweverItEnds() throws Exception {
    RateLimiter limiter = limiter(Concurrency.of(1, Duration.ofMinutes(1)));
    Guard guard = Guard.of(limiter, "k");
    Runnable failing =
        guard.runnable(
            () -> {
              throw new IllegalStateException("on purpose");
            });
    assertThatThrownBy(failing::run).isInstanceOf(IllegalStateException.class);
    Callable<String> nested = guard.callable(() -> guard.supplier(() -> "inner").get());
    assertThatThrownBy(nested::call).isInstanceOf(RefusedException.class);
    CompletableFuture<String> slow = new CompletableFuture<>();
    CompletableFuture<String> first = guard.<String>stage(() -> slow).get();
    assertThat(guard.<String>stage(() -> slow).get()).isCompletedExceptionally();
    slow.completeExceptionally(new IllegalStateException("on purpose"));
    assertThat(first).isCompletedExceptionally();
    assertThatThrownBy(
            () ->
                guard
                    .<String>stage(
                        () -> {
                          throw new IllegalStateException("before there is a stage");
                        })
                    .get()
                    .join())
        .hasRootCauseMessage("before there is a stage");
    try (Guard.Permit permit = guard.enter()) {
      assertThat(permit).isNotNull();
      assertThatThrownBy(guard::enter).isInstanceOf(RefusedException.class);
    }
    assertThat(limiter.peek("k", 1).remaining()).isEqualTo(1);
  }

  @Test
  void aWaitingCallIsMadeWhenItsTurnHasCome() {
    Guard guard = guard(FixedWindow.of(1, Duration.ofMillis(200)));
    Runnable call = guard.waiting(Duration.ofSeconds(10)).runnable(made::incrementAndGet);
    long start = System.nanoTime();
    call.run();
    call.run();
    call.run();
    assertThat(made).hasValue(3);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(350));
  }

  @Test
  void theDelayOfAShapingBucketIsWaitedFor() {
    Guard guard = guard(LeakyBucket.shaping(10, 1, Duration.ofMillis(100)));
    long start = System.nanoTime();
    for (int i = 0; i < 2; i++) {
      guard.runnable(made::incrementAndGet).run();
      guard.stage(() -> CompletableFuture.completedFuture(made.incrementAndGet())).get().join();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(290));
  }

  @Test
  void anExecutorRunsWhatIsLetInAndSaysWhatIsNot() {
    List<Throwable> refused = new ArrayList<>();
    Executor executor = guard(twoAnHour()).executor(Runnable::run, refused::add);
    executor.execute(made::incrementAndGet);
    executor.execute(made::incrementAndGet);
    assertThatThrownBy(() -> executor.execute(made::incrementAndGet))
        .isInstanceOf(RejectedExecutionException.class)
        .hasCauseInstanceOf(RefusedException.class);
    assertThat(made).hasValue(2);
    assertThat(refused).isEmpty();
  }

  @Test
  void cancellingAWaitingStageEndsItsWaitingAndChargesNothing() {
    RateLimiter limiter = limiter(FixedWindow.of(1, Duration.ofSeconds(3)));
    Guard guard = Guard.of(limiter, "k").waiting(Duration.ofSeconds(10));
    guard.runnable(made::incrementAndGet).run();
    CompletableFuture<Integer> waiting =
        guard.stage(() -> CompletableFuture.completedFuture(made.incrementAndGet())).get();
    assertThat(waiting.cancel(false)).isTrue();
    // Who comes next is told the time of the first in line.
    assertThat(limiter.acquireAsync("k", Duration.ofMillis(2_999))).isNotNull();
    assertThat(made).hasValue(1);
  }
}
