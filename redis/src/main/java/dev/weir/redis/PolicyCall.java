package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import java.util.ArrayList;
import java.util.List;

/** A policy as calls of its script: what to send, and how to read what comes back. Immutable. */
final class PolicyCall {

  private static final byte[] ACQUIRE = LimitArguments.bytes("acquire");
  private static final byte[] PEEK = LimitArguments.bytes("peek");

  private final RateLimitPolicy policy;
  private final Script script;
  private final CalendarLimits calendars;
  private final List<byte[]> limits = new ArrayList<>();

  PolicyCall(RateLimitPolicy policy, Script script, ServerClock clock) {
    this.policy = policy;
    this.script = script;
    this.calendars = new CalendarLimits(policy, clock);
    limits.add(LimitArguments.bytes(Integer.toString(policy.limits().size())));
    policy.limits().forEach(named -> LimitArguments.add(named, limits));
  }

  RateLimitPolicy policy() {
    return policy;
  }

  Script script() {
    return script;
  }

  CalendarLimits calendars() {
    return calendars;
  }

  List<byte[]> arguments(long permits, boolean charge) {
    List<byte[]> arguments = new ArrayList<>(limits.size() + 2);
    arguments.add(charge ? ACQUIRE : PEEK);
    arguments.addAll(limits);
    arguments.add(LimitArguments.bytes(Long.toString(permits)));
    calendars.fill(arguments);
    return arguments;
  }

  Answer read(List<Long> reply, long permits) {
    int expected = 1 + policy.limits().size() * Decision.VERDICT_LENGTH;
    if (reply.size() != expected) {
      throw new RedisFailure(
          FailureCause.BAD_REPLY,
          "Redis answered the script with %d numbers instead of %d"
              .formatted(reply.size(), expected));
    }
    long[] verdicts = new long[expected - 1];
    for (int i = 0; i < verdicts.length; i++) {
      verdicts[i] = reply.get(i + 1);
    }
    return new Answer(Decision.of(policy, Source.REDIS, permits, verdicts), reply.get(0) != 0);
  }

  /**
   * What a script said.
   *
   * @param decision the decision
   * @param damaged whether the key's state was not ours or not whole, and was taken as fresh
   */
  record Answer(Decision decision, boolean damaged) {}
}
