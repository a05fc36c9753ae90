package dev.weir.local;

import dev.weir.RateLimitPolicy;
import dev.weir.TimeSource;
import dev.weir.adaptive.AdaptiveAlgorithm;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.AdaptiveState;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.Explanation;
import dev.weir.adaptive.Hash;
import dev.weir.adaptive.Outcome;
import dev.weir.adaptive.Standing;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.SubjectState;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An adaptive limiter whose state is in the memory of this process.
 *
 * <p>Its memory is bounded. It keeps up to a number of subjects and forgets one only when nothing
 * of it counts any more. When that many are in use, further ones share overflow states of the
 * limits and are not judged by behaviour.
 */
public final class LocalAdaptiveRateLimiter implements AdaptiveRateLimiter {

  /** How many subjects are kept unless told otherwise: 100,000. */
  public static final int DEFAULT_MAX_SUBJECTS = 100_000;

  private static final int STRIPES = 64;

  private volatile Rules rules;
  private final TimeSource timeSource;
  private final SubjectStripe[] stripes = new SubjectStripe[STRIPES];

  private LocalAdaptiveRateLimiter(
      RateLimitPolicy limits, AdaptivePolicy policy, TimeSource timeSource, int maxSubjects) {
    if (maxSubjects < 1) {
      throw new IllegalArgumentException("maxSubjects must be 1 or more, and was " + maxSubjects);
    }
    this.rules = Rules.of(limits, policy);
    this.timeSource = Objects.requireNonNull(timeSource, "timeSource");
    AtomicInteger room = new AtomicInteger(maxSubjects);
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new SubjectStripe(rules.algorithm(), room);
    }
  }

  /** A limiter with the default settings. */
  public static LocalAdaptiveRateLimiter create(RateLimitPolicy limits, AdaptivePolicy policy) {
    return create(limits, policy, TimeSource.monotonic(), DEFAULT_MAX_SUBJECTS);
  }

  /**
   * A limiter.
   *
   * @param limits the limits
   * @param policy how they adapt
   * @param timeSource where to read the time
   * @param maxSubjects how many subjects to keep at most, 1 or more; each takes up to 1 KB
   * @throws IllegalArgumentException if {@code maxSubjects} is less than 1
   */
  public static LocalAdaptiveRateLimiter create(
      RateLimitPolicy limits, AdaptivePolicy policy, TimeSource timeSource, int maxSubjects) {
    return new LocalAdaptiveRateLimiter(limits, policy, timeSource, maxSubjects);
  }

  /** The limits, and the arithmetic of them and of how they adapt. */
  private record Rules(RateLimitPolicy limits, AdaptiveAlgorithm algorithm) {
    static Rules of(RateLimitPolicy limits, AdaptivePolicy policy) {
      return new Rules(
          Objects.requireNonNull(limits, "limits"),
          new AdaptiveAlgorithm(limits, Objects.requireNonNull(policy, "policy")));
    }
  }

  /**
   * Judges the next call by other limits or settings. What was used is kept as by {@link
   * dev.weir.RateLimiter#changePolicy}, and so is what is known of subjects.
   *
   * @throws IllegalArgumentException if the name of the limits differs
   */
  public synchronized void change(RateLimitPolicy limits, AdaptivePolicy policy) {
    if (!limits.name().equals(limits().name())) {
      throw new IllegalArgumentException(
          "the limits must be those of policy '%s', and were of '%s'"
              .formatted(limits().name(), limits.name()));
    }
    Rules changed = Rules.of(limits, policy);
    rules = changed;
    for (SubjectStripe stripe : stripes) {
      stripe.change(changed.algorithm());
    }
  }

  @Override
  public RateLimitPolicy limits() {
    return rules.limits();
  }

  @Override
  public AdaptivePolicy policy() {
    return rules.algorithm().model().policy();
  }

  @Override
  public CompletableFuture<AdaptiveVerdict> decideAsync(SubjectCall call) {
    return CompletableFuture.completedFuture(decide(call, true));
  }

  @Override
  public CompletableFuture<AdaptiveVerdict> peekAsync(SubjectCall call) {
    return CompletableFuture.completedFuture(decide(call, false));
  }

  private AdaptiveVerdict decide(SubjectCall call, boolean charge) {
    long now = timeSource.epochMicros();
    return stripe(call.subject()).decide(call, charge, now);
  }

  @Override
  public CompletableFuture<Standing> reportAsync(String subject, List<Outcome> outcomes) {
    long now = timeSource.epochMicros();
    int seed = Hash.of(subject);
    AdaptiveAlgorithm algorithm = rules.algorithm();
    AdaptiveState after =
        stripe(subject)
            .change(
                subject,
                now,
                stored -> {
                  AdaptiveState state = stored;
                  for (Outcome outcome : outcomes) {
                    state = algorithm.outcome(state, outcome, now, seed);
                  }
                  return state;
                });
    return CompletableFuture.completedFuture(standing(after.behaviour()));
  }

  private Standing standing(@Nullable SubjectState behaviour) {
    return behaviour == null
        ? Standing.UNKNOWN
        : new Standing(behaviour.tier(), behaviour.isInGoodStanding(policy()));
  }

  @Override
  public CompletableFuture<Explanation> explainAsync(String subject) {
    long now = timeSource.epochMicros();
    AdaptiveState found = stripe(subject).look(subject);
    return CompletableFuture.completedFuture(
        rules.algorithm().model().explain(found.behaviour(), now));
  }

  @Override
  public CompletableFuture<Void> resetAsync(String subject) {
    stripe(subject).remove(subject);
    return CompletableFuture.completedFuture(null);
  }

  private SubjectStripe stripe(String subject) {
    return stripes[Math.floorMod(Hash.of(subject), STRIPES)];
  }
}
