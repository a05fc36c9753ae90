package dev.weir.reactor;

import dev.weir.decorate.Guard;
import java.util.Objects;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes streams ask a limiter, for {@code transform}. A refusal is an error of the stream, a {@link
 * dev.weir.decorate.RefusedException}. No thread waits.
 *
 * <pre>{@code
 * Mono<Answer> limited = call.transform(ReactorGuard.mono(guard));
 * Flux<Event> paced = events.transform(ReactorGuard.eachElement(guard.waiting(aMinute)));
 * }</pre>
 */
public final class ReactorGuard {

  private ReactorGuard() {}

  /** Asks at each subscription; what is held is freed when it ends, also by being cancelled. */
  public static <T> Function<Mono<T>, Mono<T>> mono(Guard guard) {
    Objects.requireNonNull(guard, "guard");
    return source ->
        Mono.usingWhen(enter(guard), permit -> source, permit -> Mono.fromRunnable(permit::close));
  }

  /** Asks at each subscription; what is held is freed when it ends, also by being cancelled. */
  public static <T> Function<Flux<T>, Publisher<T>> flux(Guard guard) {
    Objects.requireNonNull(guard, "guard");
    return source ->
        Flux.usingWhen(enter(guard), permit -> source, permit -> Mono.fromRunnable(permit::close));
  }

  /** Asks for each element before it is passed on, in order: the stream is as fast as allowed. */
  public static <T> Function<Flux<T>, Publisher<T>> eachElement(Guard guard) {
    Objects.requireNonNull(guard, "guard");
    return source ->
        source.concatMap(
            element ->
                enter(guard)
                    .map(
                        permit -> {
                          permit.close();
                          return element;
                        }),
            0);
  }

  private static Mono<Guard.Permit> enter(Guard guard) {
    return Mono.fromFuture(guard::enterAsync);
  }
}
