package dev.weir.redis;

import dev.weir.FailureCause;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A run of a policy's script within a time budget; and a second one with other windows if Redis'
 * time was outside of those sent, which proves that nothing was charged.
 */
final class PolicyRun {

  private PolicyRun() {}

  /** Starts it; arguments and answer are as those of {@link ScriptRun#start}. */
  static CompletableFuture<List<Long>> start(
      RedisScripts redis,
      PolicyCall call,
      Operation operation,
      List<byte[]> keys,
      List<byte[]> arguments,
      Duration budget,
      Runnable loaded) {
    long deadline = System.nanoTime() + budget.toNanos();
    Script script = call.script(operation);
    return ScriptRun.start(redis, script, keys, arguments, budget, loaded)
        .thenCompose(
            reply -> {
              if (!call.calendars().areOutside(reply)) {
                return CompletableFuture.completedFuture(reply);
              }
              Duration left = Duration.ofNanos(deadline - System.nanoTime());
              if (left.isNegative()) {
                throw timeout("the time budget was used up before it was known");
              }
              List<byte[]> others = call.calendars().corrected(arguments, reply);
              return ScriptRun.start(redis, script, keys, others, left, loaded)
                  .thenApply(second -> judged(call, second));
            });
  }

  private static List<Long> judged(PolicyCall call, List<Long> reply) {
    if (call.calendars().areOutside(reply)) {
      throw timeout("it moved by more than a window between two calls");
    }
    return reply;
  }

  private static RedisFailure timeout(String problem) {
    return new RedisFailure(
        FailureCause.TIMEOUT, "Redis' time is needed for a limit of a calendar, and " + problem);
  }
}
