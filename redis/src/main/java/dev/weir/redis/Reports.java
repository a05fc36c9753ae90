package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.RateLimiterException;
import dev.weir.RateLimiterListener;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Counts, logs once, and tells the listener what happens. Safe for use by several threads. */
final class Reports {

  private static final System.Logger LOG = System.getLogger(RedisRateLimiter.class.getName());

  private final String policy;
  private final RateLimiterListener listener;
  private final LongAdder damagedStates = new LongAdder();
  private final AtomicBoolean damageLogged = new AtomicBoolean();
  private final Set<FailureCause> mistakesLogged = ConcurrentHashMap.newKeySet();

  Reports(String policy, RateLimiterListener listener) {
    this.policy = policy;
    this.listener = listener;
  }

  long damagedStates() {
    return damagedStates.sum();
  }

  /** Tells of a decision once it is made. */
  BiConsumer<@Nullable Decision, @Nullable Throwable> decided(long startNanos) {
    return (decision, failure) -> {
      if (decision != null) {
        tell(() -> listener.decided(decision, System.nanoTime() - startNanos));
      }
    };
  }

  void failed(FailureCause cause) {
    tell(() -> listener.failed(policy, cause));
  }

  void scriptLoaded() {
    tell(() -> listener.scriptLoaded(policy));
  }

  /** The decision of an answer; state that was damaged is counted, and logged the first time. */
  PolicyCall.Answer read(PolicyCall.Answer answer, byte[] redisKey) {
    damaged(answer.damaged(), redisKey);
    return answer;
  }

  /** Counts state that was damaged, if it was, and logs it the first time. */
  void damaged(boolean isDamaged, byte[] redisKey) {
    if (isDamaged) {
      damagedStates.increment();
      tell(() -> listener.stateRepaired(policy));
      if (damageLogged.compareAndSet(false, true)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "the Redis key {0} holds no state of Weir''s or a damaged one; it was taken as fresh."
                + " Look for another program that writes keys with this prefix. Further ones are"
                + " counted, not logged.",
            new String(redisKey, StandardCharsets.US_ASCII));
      }
    }
  }

  /** What to throw for a failure that no failure mode answers; logged once for each cause. */
  RateLimiterException mistake(FailureCause cause, Throwable failure) {
    String message =
        "Redis did not carry out a call of policy '%s' (%s): %s. %s"
            .formatted(policy, cause.word(), failure.getMessage(), remedy(cause, failure));
    if (!cause.isTransient() && mistakesLogged.add(cause)) {
      LOG.log(
          System.Logger.Level.ERROR,
          "{0} Further ones are thrown and counted, not logged.",
          message);
    }
    return new RateLimiterException(message, failure);
  }

  /** What to throw for a call that is not sent, since an earlier one has told what is wrong. */
  RateLimiterException still(FailureCause cause) {
    RedisFailure failure =
        new RedisFailure(cause, "it did not a moment ago, and is asked again in the background");
    return new RateLimiterException(
        "Redis does not carry out calls of policy '%s' (%s): %s. %s"
            .formatted(policy, cause.word(), failure.getMessage(), remedy(cause, failure)),
        failure);
  }

  private static String remedy(FailureCause cause, Throwable failure) {
    if (String.valueOf(failure.getMessage()).startsWith("MOVED ")) {
      return "Redis is a node of a Cluster: connect with a Cluster client, which is"
          + " RedisClusterClient of Lettuce or JedisCluster of Jedis.";
    }
    return switch (cause) {
      case NO_AUTHENTICATION -> "Give the client the user and password that Redis asks for.";
      case NO_PERMISSION ->
          "Allow the user evalsha, eval, time, get, set, hget, hset, hdel, hlen, exists, del,"
              + " unlink, pttl and pexpire on keys with the limiter's prefix.";
      case CROSS_SLOT, SCRIPT_ERROR, BAD_REPLY ->
          "This should not happen; please report it with the version of Redis.";
      case READONLY -> "Redis is a replica: connect to the master, or through Sentinel or Cluster.";
      case CLUSTER_DOWN ->
          "Look at CLUSTER INFO and CLUSTER NODES, then restart what failed or assign the slots.";
      case TIMEOUT, CONNECTION -> "Look at Redis and the network.";
      default -> "Look at Redis and its log.";
    };
  }

  private static void tell(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "a listener failed", e);
    }
  }
}
