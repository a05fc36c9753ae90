package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.JointPart;
import dev.weir.JointStore;
import dev.weir.RateLimitPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Decides keys of one connection in one script: all keys of a Redis, or those of one slot of a
 * Cluster. The first limiter's time budget, breaker and script source are used.
 */
final class RedisJointStore implements JointStore {

  private final Object connection;
  private final String slot;

  /**
   * Makes one.
   *
   * @param connection what the keys' limiters share, compared by identity
   * @param slot the text that decides the keys' slot; empty if there are no slots
   */
  RedisJointStore(Object connection, String slot) {
    this.connection = connection;
    this.slot = slot;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RedisJointStore store
        && store.connection == connection
        && store.slot.equals(slot);
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(connection) * 31 + slot.hashCode();
  }

  @Override
  public CompletableFuture<List<Decision>> tryAcquireAll(List<JointPart> parts) {
    List<RedisPart> all = parts.stream().map(RedisPart::of).toList();
    checkDistinct(all);
    RedisRateLimiter first = all.get(0).limiter();
    return first
        .calls()
        .jointly(
            all.get(0).redisKey(),
            () -> start(first, all),
            cause -> CompletableFuture.completedFuture(RedisPart.otherwise(all, cause)));
  }

  private static void checkDistinct(List<RedisPart> parts) {
    Set<String> names = new HashSet<>();
    for (RedisPart part : parts) {
      if (!names.add(new String(part.redisKey(), StandardCharsets.US_ASCII))) {
        throw new IllegalArgumentException(
            "a joint call charges each key once, and two limiters of policy '%s' share one state"
                .formatted(part.call().policy().name()));
      }
    }
  }

  private static CompletableFuture<List<Decision>> start(
      RedisRateLimiter limiter, List<RedisPart> parts) {
    List<RateLimitPolicy> policies = parts.stream().map(part -> part.call().policy()).toList();
    Script script = limiter.scripts().joint(policies);
    List<List<byte[]>> arguments = parts.stream().map(RedisPart::arguments).toList();
    long deadline = System.nanoTime() + limiter.calls().timeout().toNanos();
    return run(limiter, script, parts, arguments, limiter.calls().timeout())
        .thenCompose(
            reply -> {
              List<List<byte[]>> corrected = corrected(parts, arguments, reply);
              if (corrected.equals(arguments)) {
                return CompletableFuture.completedFuture(reply);
              }
              Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
              return run(limiter, script, parts, corrected, left);
            })
        .thenApply(reply -> read(parts, reply));
  }

  private static CompletableFuture<List<Long>> run(
      RedisRateLimiter limiter,
      Script script,
      List<RedisPart> parts,
      List<List<byte[]>> arguments,
      Duration budget) {
    List<byte[]> sent = new ArrayList<>();
    sent.add(LimitArguments.bytes(Operation.JOINT.word()));
    // Each part's arguments start with an operation, which is that of the call here.
    arguments.forEach(part -> sent.addAll(part.subList(1, part.size())));
    return limiter
        .calls()
        .run(script, parts.stream().map(RedisPart::redisKey).toList(), sent, budget);
  }

  /** The arguments with other windows for the parts whose calendars did not reach to the time. */
  private static List<List<byte[]>> corrected(
      List<RedisPart> parts, List<List<byte[]>> arguments, List<Long> reply) {
    List<List<byte[]>> corrected = new ArrayList<>();
    int at = 0;
    for (int i = 0; i < parts.size(); i++) {
      CalendarLimits calendars = parts.get(i).call().calendars();
      int end = at + parts.get(i).call().replyLength();
      List<Long> own = end <= reply.size() ? reply.subList(at, end) : List.of();
      corrected.add(
          calendars.areOutside(own)
              ? calendars.corrected(arguments.get(i), own)
              : arguments.get(i));
      at = end;
    }
    return corrected;
  }

  private static List<Decision> read(List<RedisPart> parts, List<Long> reply) {
    int expected = parts.stream().mapToInt(part -> part.call().replyLength()).sum();
    if (reply.size() != expected) {
      throw new RedisFailure(
          FailureCause.BAD_REPLY,
          "Redis answered the script with %d numbers instead of %d"
              .formatted(reply.size(), expected));
    }
    List<Decision> decisions = new ArrayList<>();
    int at = 0;
    for (RedisPart part : parts) {
      int end = at + part.call().replyLength();
      List<Long> own = reply.subList(at, end);
      if (part.call().calendars().areOutside(own)) {
        throw new RedisFailure(
            FailureCause.TIMEOUT, "Redis' time moved by more than a window between two calls");
      }
      decisions.add(part.read(own));
      at = end;
    }
    return decisions;
  }
}
