package dev.weir.server.policy;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptivePolicy.Mode;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.CallReader;
import dev.weir.adaptive.PopularMissing;
import dev.weir.adaptive.SelfCheck;
import dev.weir.local.SelfCheckedRateLimiter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A policy with its limiters. A change makes another one that goes on with the same limiters, so
 * that what was used is kept. Immutable but for its limiters; safe for use by several threads.
 */
public final class RunningPolicy {

  /** The limiters of a policy or of one of its plans. */
  private record Pair(
      RateLimiter limits, AdaptiveRateLimiter adaptive, AdaptiveRateLimiter checked) {}

  private final PolicyDefinition definition;
  private final Map<String, Pair> pairs;
  private final Map<String, RateLimiter> limiters = new LinkedHashMap<>();
  private final CallReader reader;
  private final PopularMissing popular;

  private RunningPolicy(
      PolicyDefinition definition, Map<String, Pair> pairs, PopularMissing popular) {
    this.definition = definition;
    this.pairs = pairs;
    pairs.forEach((name, pair) -> limiters.put(name, pair.limits()));
    this.reader = new CallReader(definition.adaptive());
    this.popular = popular;
  }

  /**
   * Starts a policy, or goes on with a changed one.
   *
   * @param before the policy of that name that runs; {@code null} if there is none
   * @param check whether the adaptive layer itself is wrong
   */
  static RunningPolicy of(
      PolicyDefinition definition,
      @Nullable RunningPolicy before,
      LimiterFactory factory,
      SelfCheck check) {
    if (before != null && before.definition.equals(definition)) {
      return before;
    }
    Map<String, Pair> pairs = new LinkedHashMap<>();
    add(definition.limits(), definition.adaptive(), before, factory, check, pairs);
    definition
        .plans()
        .limits()
        .values()
        .forEach(limits -> add(limits, definition.adaptive(), before, factory, check, pairs));
    PopularMissing popular =
        before != null && before.definition.adaptive().equals(definition.adaptive())
            ? before.popular
            : new PopularMissing(definition.adaptive());
    return new RunningPolicy(definition, pairs, popular);
  }

  private static void add(
      RateLimitPolicy limits,
      AdaptivePolicy policy,
      @Nullable RunningPolicy before,
      LimiterFactory factory,
      SelfCheck check,
      Map<String, Pair> pairs) {
    Pair known = before == null ? null : before.pairs.get(limits.name());
    RateLimiter limiter = known == null ? factory.limiter(limits) : known.limits();
    if (known != null) {
      limiter.changePolicy(limits);
    }
    AdaptiveRateLimiter adaptive =
        policy.mode() == Mode.OFF
            ? new LimitsOnly(limiter)
            : factory.adaptive(limiter, policy, known == null ? null : known.adaptive());
    AdaptiveRateLimiter checked =
        policy.mode() == Mode.OFF
            ? adaptive
            : SelfCheckedRateLimiter.of(adaptive, check, TimeSource.monotonic());
    pairs.put(limits.name(), new Pair(limiter, adaptive, checked));
  }

  /** The policy as it is defined. */
  public PolicyDefinition definition() {
    return definition;
  }

  /** The name. */
  public String name() {
    return definition.name();
  }

  /** The limiters by the names of the policy and of its plans. */
  Map<String, RateLimiter> limiters() {
    return limiters;
  }

  /** Which limits a request is judged by: the name of the policy, or of a plan of it. */
  public String limitsOf(RequestAttributes request) {
    return definition.plans().planOf(request).map(plan -> name() + "." + plan).orElse(name());
  }

  /** What a request costs. */
  public long costOf(RequestAttributes request) {
    return definition.costOf(request, RequestPath.of(request));
  }

  /** The limits of that name, as they adapt. */
  public AdaptiveRateLimiter adaptive(String limits) {
    return pair(limits).checked();
  }

  /** The limits of that name, by themselves. */
  public RateLimiter limiter(String limits) {
    return pair(limits).limits();
  }

  private Pair pair(String limits) {
    return Objects.requireNonNull(
        pairs.getOrDefault(limits, pairs.get(name())), "a policy has limits");
  }

  /** Forgets a key: what it used, and what is known of it. */
  public CompletableFuture<Void> reset(String limits, String key) {
    Pair pair = pair(limits);
    return pair.adaptive().resetAsync(key).thenCompose(done -> pair.limits().resetAsync(key));
  }

  /** Reads requests as the model sees them. */
  public CallReader reader() {
    return reader;
  }

  /** Which missing paths are missing for many. */
  public PopularMissing popular() {
    return popular;
  }
}
