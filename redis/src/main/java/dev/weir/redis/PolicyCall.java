package dev.weir.redis;

import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimitPolicy.NamedLimit;
import dev.weir.Source;
import dev.weir.algorithm.ReservationId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A policy as calls of its scripts: what to send, and how to read what comes back. Immutable. */
final class PolicyCall {

  /** Whether state was damaged, the time of the decision, and that of the charge. */
  static final int HEAD = 3;

  /** Stands for the time of a charge where the newest permits are meant. */
  private static final long NEWEST = -1;

  private final RateLimitPolicy policy;
  private final Script.Source source;
  private final Script acquire;
  private final CalendarLimits calendars;
  private final Map<Operation, Script> scripts = new ConcurrentHashMap<>();
  private final List<byte[]> limits = new ArrayList<>();

  PolicyCall(RateLimitPolicy policy, Script.Source source, ServerClock clock) {
    this.policy = policy;
    this.calendars = new CalendarLimits(policy, clock);
    this.source = source;
    this.acquire = source.of(policy, Operation.ACQUIRE);
    limits.add(LimitArguments.bytes(policy.limits().size()));
    policy.limits().forEach(named -> LimitArguments.add(named, limits));
  }

  RateLimitPolicy policy() {
    return policy;
  }

  Script script(Operation operation) {
    return switch (operation) {
      case ACQUIRE, PEEK -> acquire;
      case ADAPTIVE_PEEK -> script(Operation.ADAPTIVE);
      default -> scripts.computeIfAbsent(operation, any -> source.of(policy, any));
    };
  }

  CalendarLimits calendars() {
    return calendars;
  }

  /** The arguments of an operation that asks for permits: acquire, peek, charge. */
  List<byte[]> arguments(Operation operation, long permits) {
    List<byte[]> arguments = start(operation);
    arguments.add(LimitArguments.bytes(permits));
    return arguments;
  }

  List<byte[]> refund(long permits, @Nullable Charge charge) {
    List<byte[]> arguments = arguments(Operation.REFUND, permits);
    arguments.add(LimitArguments.bytes(charge == null ? NEWEST : charge.atMicros()));
    for (NamedLimit named : policy.limits()) {
      Charge.OfLimit charged = charge == null ? null : charge.limit(named.stateId());
      arguments.add(LimitArguments.bytes(charged == null ? 0 : charged.used()));
      arguments.add(LimitArguments.bytes(charged == null ? 0 : charged.expiresAtMicros()));
    }
    return arguments;
  }

  List<byte[]> reserve(long permits, long nonce, long lifeMicros) {
    List<byte[]> arguments = arguments(Operation.RESERVE, permits);
    arguments.add(LimitArguments.bytes(nonce));
    arguments.add(LimitArguments.bytes(lifeMicros));
    return arguments;
  }

  List<byte[]> settle(ReservationId id, long permits) {
    List<byte[]> arguments = start(Operation.SETTLE);
    arguments.add(LimitArguments.bytes(id.number()));
    arguments.add(LimitArguments.bytes(id.nonce()));
    arguments.add(LimitArguments.bytes(permits));
    return arguments;
  }

  /** The arguments that every operation starts with: its word, the policy. */
  List<byte[]> start(Operation operation) {
    List<byte[]> arguments = new ArrayList<>(limits.size() + 4);
    arguments.add(LimitArguments.bytes(operation.word()));
    arguments.addAll(limits);
    calendars.fill(arguments);
    return arguments;
  }

  /** How many numbers a reply has for one call. */
  int replyLength() {
    return HEAD + policy.limits().size() * Decision.VERDICT_LENGTH;
  }

  Answer read(List<Long> reply, long permits) {
    return read(reply, permits, 0);
  }

  /**
   * Reads a reply.
   *
   * @param more how many numbers follow those of the decision
   */
  Answer read(List<Long> reply, long permits, int more) {
    int expected = replyLength() + more;
    if (reply.size() != expected) {
      throw new RedisFailure(
          FailureCause.BAD_REPLY,
          "Redis answered the script with %d numbers instead of %d"
              .formatted(reply.size(), expected));
    }
    long[] verdicts = new long[replyLength() - HEAD];
    for (int i = 0; i < verdicts.length; i++) {
      verdicts[i] = reply.get(HEAD + i);
    }
    Decision decision =
        Decision.of(policy, Source.REDIS, permits, reply.get(1), reply.get(2), verdicts);
    return new Answer(decision, reply.get(0) != 0);
  }

  /**
   * What a script said.
   *
   * @param decision the decision
   * @param damaged whether the key's state was not ours or not whole, and was taken as fresh
   */
  record Answer(Decision decision, boolean damaged) {}
}
