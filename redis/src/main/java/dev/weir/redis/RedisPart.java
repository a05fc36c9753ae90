package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.JointPart;
import java.util.ArrayList;
import java.util.List;

/** A part of a joint call, with its limiter's policy at the time of the call. */
record RedisPart(RedisRateLimiter limiter, String key, long permits, PolicyCall call) {

  static RedisPart of(JointPart part) {
    RedisRateLimiter limiter = (RedisRateLimiter) part.limiter();
    return new RedisPart(limiter, part.key(), part.permits(), limiter.call());
  }

  byte[] redisKey() {
    return limiter.redisKey(key);
  }

  List<byte[]> arguments() {
    return call.arguments(Operation.ACQUIRE, permits);
  }

  Decision read(List<Long> reply) {
    return limiter.reports().read(call.read(reply, permits), redisKey()).decision();
  }

  /** What each failure mode says: if one refuses, nothing is charged in this process either. */
  static List<Decision> otherwise(List<RedisPart> parts, FailureCause cause) {
    List<Decision> decisions = new ArrayList<>();
    for (RedisPart part : parts) {
      decisions.add(part.otherwise(Operation.ACQUIRE, cause));
    }
    if (decisions.stream().allMatch(Decision::allowed)) {
      return decisions;
    }
    for (int i = 0; i < parts.size(); i++) {
      RedisPart part = parts.get(i);
      decisions
          .get(i)
          .charge()
          .ifPresent(it -> part.limiter.fallback().refund(part.call.policy(), part.key, it));
    }
    return decisions;
  }

  private Decision otherwise(Operation operation, FailureCause cause) {
    return limiter.fallback().decide(call.policy(), key, permits, operation, cause);
  }
}
