package dev.weir.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One run of a script within a time budget: EVALSHA, and EVAL once if the node does not know the
 * script. When the budget is used up, what was not sent yet is not sent any more.
 */
final class ScriptRun {

  private final RedisScripts redis;
  private volatile CompletableFuture<List<Long>> sent;

  private ScriptRun(RedisScripts redis, CompletableFuture<List<Long>> sent) {
    this.redis = redis;
    this.sent = sent;
  }

  /**
   * Starts a run.
   *
   * @param loaded told when a node did not know the script
   * @return the integers of the reply, or the failure, at the latest after the budget
   */
  static CompletableFuture<List<Long>> start(
      RedisScripts redis,
      Script script,
      List<byte[]> keys,
      List<byte[]> arguments,
      Duration budget,
      Runnable loaded) {
    ScriptRun run = new ScriptRun(redis, redis.evalSha(script.sha1(), keys, arguments));
    CompletableFuture<List<Long>> answer =
        run.sent.exceptionallyCompose(
            failure -> {
              if (!RedisFailure.isUnknownScript(failure)) {
                return CompletableFuture.failedFuture(failure);
              }
              loaded.run();
              return run.sendWhole(script, keys, arguments);
            });
    return answer
        .orTimeout(budget.toNanos(), TimeUnit.NANOSECONDS)
        .whenComplete(
            (integers, failure) -> {
              if (failure != null) {
                run.sent.cancel(true);
              }
            });
  }

  private CompletableFuture<List<Long>> sendWhole(
      Script script, List<byte[]> keys, List<byte[]> arguments) {
    sent = redis.eval(script.text(), keys, arguments);
    return sent;
  }
}
