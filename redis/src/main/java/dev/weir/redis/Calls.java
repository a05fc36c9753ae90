package dev.weir.redis;

import dev.weir.FailureCause;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs a limiter's scripts: within its time budget, not while a breaker is open, and with somebody
 * to answer if Redis does not. Safe for use by several threads.
 */
final class Calls {

  private final RedisScripts redis;
  private final RedisKeys keys;
  private final Duration timeout;
  private final Breakers breakers;
  private final Reports reports;

  Calls(RedisScripts redis, RedisKeys keys, Duration timeout, Breakers breakers, Reports reports) {
    this.redis = redis;
    this.keys = keys;
    this.timeout = timeout;
    this.breakers = breakers;
    this.reports = reports;
  }

  /** The time budget of a call. */
  Duration timeout() {
    return timeout;
  }

  /** Runs a joint call unless the shard of its first key is given up; what fails is told here. */
  <T> CompletableFuture<T> jointly(
      byte[] firstKey,
      Supplier<CompletableFuture<T>> call,
      Function<FailureCause, CompletableFuture<T>> otherwise) {
    Breaker breaker = breakers.of(firstKey);
    FailureCause open = breaker.openFor();
    if (open != null) {
      return open.isTransient()
          ? otherwise.apply(open)
          : CompletableFuture.failedFuture(reports.still(open));
    }
    return call.get()
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                breaker.succeeded();
              }
            })
        .exceptionallyCompose(
            failure -> {
              FailureCause cause = noted(breaker, firstKey, failure);
              return cause.isTransient()
                  ? otherwise.apply(cause)
                  : CompletableFuture.failedFuture(reports.mistake(cause, Failures.root(failure)));
            });
  }

  /** Counts a failure, and gives the shard up unless the next call is to meet a mistake again. */
  FailureCause noted(Breaker breaker, byte[] redisKey, Throwable failure) {
    FailureCause told = FailureCauses.of(failure);
    FailureCause cause = breaker.cause(told);
    reports.failed(cause);
    if (told.isTransient()) {
      breaker.failed(cause, breakers.probe(redisKey));
    }
    return cause;
  }

  /** Runs a script that is not one policy's alone. */
  CompletableFuture<List<Long>> run(
      Script script, List<byte[]> redisKeys, List<byte[]> arguments, Duration budget) {
    return ScriptRun.start(redis, script, redisKeys, arguments, budget, reports::scriptLoaded);
  }

  /** One call of a script on a key: how to read its reply, and what answers if there is none. */
  final class Call<T> {
    private final byte[] redisKey;
    private final Operation operation;
    private final List<byte[]> allKeys;
    private final Function<List<Long>, T> result;
    private final Function<FailureCause, T> otherwise;

    Call(
        String key,
        Operation operation,
        Function<List<Long>, PolicyCall.Answer> reader,
        BiFunction<PolicyCall.Answer, List<Long>, T> result,
        Function<FailureCause, T> otherwise) {
      byte[] name = keys.of(Objects.requireNonNull(key, "key"));
      this.redisKey = name;
      this.operation = operation;
      this.allKeys =
          operation.usesReservations() ? List.of(name, keys.reservations(name)) : List.of(name);
      this.result = reply -> result.apply(reports.read(reader.apply(reply), name), reply);
      this.otherwise = otherwise;
    }

    Call(
        byte[] redisKey,
        Operation operation,
        List<byte[]> allKeys,
        Function<List<Long>, T> result,
        Function<FailureCause, T> otherwise) {
      this.redisKey = redisKey;
      this.operation = operation;
      this.allKeys = allKeys;
      this.result = result;
      this.otherwise = otherwise;
    }

    CompletableFuture<T> run(PolicyCall current, List<byte[]> arguments) {
      Breaker breaker = breakers.of(redisKey);
      FailureCause open = breaker.openFor();
      if (open != null) {
        return open.isTransient()
            ? CompletableFuture.completedFuture(otherwise.apply(open))
            : CompletableFuture.failedFuture(reports.still(open));
      }
      return PolicyRun.start(
              redis, current, operation, allKeys, arguments, timeout, reports::scriptLoaded)
          .thenApply(
              reply -> {
                breaker.succeeded();
                return result.apply(reply);
              })
          .exceptionallyCompose(failure -> failed(breaker, failure));
    }

    private CompletableFuture<T> failed(Breaker breaker, Throwable failure) {
      FailureCause cause = noted(breaker, redisKey, failure);
      return cause.isTransient()
          ? CompletableFuture.completedFuture(otherwise.apply(cause))
          : CompletableFuture.failedFuture(reports.mistake(cause, Failures.root(failure)));
    }
  }
}
