package dev.weir.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.decorate.Guard;
import dev.weir.decorate.RefusedException;
import dev.weir.local.LocalRateLimiter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Streams that ask a limiter. */
class ReactorGuardTest {

  private static RateLimiter limiter(Limit limit) {
    return LocalRateLimiter.create(RateLimitPolicy.of("streams", limit));
  }

  @Test
  void eachSubscriptionAsks() {
    AtomicInteger made = new AtomicInteger();
    Guard guard = Guard.of(limiter(FixedWindow.of(2, Duration.ofHours(1))), "k");
    Mono<Integer> call =
        Mono.fromCallable(made::incrementAndGet).transform(ReactorGuard.mono(guard));
    assertThat(call.block()).isEqualTo(1);
    assertThat(call.block()).isEqualTo(2);
    assertThatThrownBy(call::block).isInstanceOf(RefusedException.class);
    assertThat(made).hasValue(2);
  }

  @Test
  void whatIsHeldIsFreeWhenTheStreamEndsOrIsCancelled() {
    RateLimiter limiter = limiter(Concurrency.of(1, Duration.ofMinutes(1)));
    Guard guard = Guard.of(limiter, "k");
    Flux<Integer> endless = Flux.<Integer>never().transform(ReactorGuard.flux(guard));
    Disposable subscription = endless.subscribe();
    assertThat(limiter.peek("k").remaining()).isZero();
    subscription.dispose();
    assertThat(limiter.peek("k").remaining()).isEqualTo(1);
    Mono<Integer> failing =
        Mono.<Integer>error(new IllegalStateException("on purpose"))
            .transform(ReactorGuard.mono(guard));
    assertThatThrownBy(failing::block).hasMessageContaining("on purpose");
    assertThat(limiter.peek("k").remaining()).isEqualTo(1);
  }

  @Test
  void elementsPassInOrderAsFastAsAllowed() {
    Guard guard =
        Guard.of(limiter(FixedWindow.of(2, Duration.ofMillis(200))), "k")
            .waiting(Duration.ofSeconds(10));
    long start = System.nanoTime();
    assertThat(Flux.range(0, 6).transform(ReactorGuard.eachElement(guard)).collectList().block())
        .containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(350));
    Guard impatient = Guard.of(limiter(FixedWindow.of(2, Duration.ofHours(1))), "k");
    assertThatThrownBy(
            () -> Flux.range(0, 6).transform(ReactorGuard.eachElement(impatient)).blockLast())
        .isInstanceOf(RefusedException.class);
  }
}
