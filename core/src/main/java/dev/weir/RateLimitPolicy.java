package dev.weir;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A named list of limits applied together: a call is admitted if all of them admit it, and then all
 * are charged; otherwise none is. Immutable.
 *
 * <pre>{@code
 * RateLimitPolicy.of("api", TokenBucket.smooth(10, 1, Duration.ofSeconds(1)));
 *
 * RateLimitPolicy.builder("search")
 *     .limit("per-second", SlidingWindowLog.of(10, Duration.ofSeconds(1)))
 *     .limit("per-day", FixedWindow.alignedToClock(1_000, Duration.ofDays(1)))
 *     .build();
 * }</pre>
 */
public final class RateLimitPolicy {

  /** The most limits in one policy: 16. */
  public static final int MAX_LIMITS = 16;

  // Ids of named limits are from their names, those of others from their positions.
  private static final int FIRST_NAMED_ID = 0x8000;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private final String name;
  private final List<NamedLimit> limits;
  private final FailureMode failureMode;

  private RateLimitPolicy(String name, List<NamedLimit> limits, FailureMode failureMode) {
    this.name = name;
    this.failureMode = failureMode;
    this.limits = List.copyOf(limits);
  }

  /**
   * A policy of limits that need no names of their own.
   *
   * @throws IllegalArgumentException as {@link Builder#build()}
   */
  public static RateLimitPolicy of(String name, Limit... limits) {
    Builder builder = builder(name);
    for (Limit limit : limits) {
      builder.limit(limit);
    }
    return builder.build();
  }

  /** Starts a policy of that name. */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /** The name: letters, digits, dot, underscore and hyphen, at most 64. */
  public String name() {
    return name;
  }

  /** The limits in the order given, 1 to {@link #MAX_LIMITS}. */
  public List<NamedLimit> limits() {
    return limits;
  }

  /** What a decision is when the store cannot make it; {@link FailureMode#local()} by default. */
  public FailureMode failureMode() {
    return failureMode;
  }

  /**
   * The same policy with a share of each limit's permits, rounded down but at least one, and of its
   * rate: what one process may admit by itself while the store is away.
   *
   * @param share more than 0 and at most 1
   */
  public RateLimitPolicy withShare(double share) {
    List<NamedLimit> parts =
        limits.stream()
            .map(it -> new NamedLimit(it.name(), LimitShare.of(it.limit(), share), it.stateId()))
            .toList();
    return new RateLimitPolicy(name, parts, failureMode);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RateLimitPolicy policy
        && policy.name.equals(name)
        && policy.failureMode.equals(failureMode)
        && policy.limits.equals(limits);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, limits, failureMode);
  }

  @Override
  public String toString() {
    return name + limits;
  }

  /**
   * A limit and its name in its policy.
   *
   * @param name what decisions and headers call it; the algorithm's word, numbered where needed, if
   *     the policy gave none
   * @param limit the limit
   * @param stateId which part of a key's stored state is this limit's, 0 to 65,535: from the name,
   *     or from the position where the policy gave none, so that state is found again when limits
   *     are added or removed around it
   */
  public record NamedLimit(String name, Limit limit, int stateId) {

    /** Checks for null. */
    public NamedLimit {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(limit, "limit");
    }

    /** Whether the policy gave the limit a name of its own. */
    public boolean isNamed() {
      return stateId >= FIRST_NAMED_ID;
    }
  }

  /** Collects the limits of a policy. Not safe for use by several threads. */
  public static final class Builder {

    private final String policyName;
    private final List<Limit> added = new ArrayList<>();
    private final List<@Nullable String> names = new ArrayList<>();
    private FailureMode failureMode = FailureMode.local();

    private Builder(String policyName) {
      this.policyName = Objects.requireNonNull(policyName, "name");
    }

    /** Adds a limit without a name of its own. */
    public Builder limit(Limit limit) {
      added.add(Objects.requireNonNull(limit, "limit"));
      names.add(null);
      return this;
    }

    /** Adds a limit with a name: letters, digits, dot, underscore and hyphen, at most 64. */
    public Builder limit(String name, Limit limit) {
      added.add(Objects.requireNonNull(limit, "limit"));
      names.add(Objects.requireNonNull(name, "name"));
      return this;
    }

    /** What a decision is when the store cannot make it. */
    public Builder failureMode(FailureMode failureMode) {
      this.failureMode = Objects.requireNonNull(failureMode, "failureMode");
      return this;
    }

    /**
     * Makes the policy.
     *
     * @throws IllegalArgumentException if a name is malformed or used twice, or if there is no
     *     limit or more than {@link #MAX_LIMITS}
     */
    public RateLimitPolicy build() {
      checkName("a policy", policyName);
      if (added.isEmpty() || added.size() > MAX_LIMITS) {
        throw new IllegalArgumentException(
            "policy '%s' must have from 1 to %d limits, and has %d"
                .formatted(policyName, MAX_LIMITS, added.size()));
      }
      List<NamedLimit> limits = new ArrayList<>();
      for (int i = 0; i < added.size(); i++) {
        limits.add(named(i, limits));
      }
      return new RateLimitPolicy(policyName, limits, failureMode);
    }

    private NamedLimit named(int index, List<NamedLimit> before) {
      Limit limit = added.get(index);
      String given = names.get(index);
      if (given == null) {
        return new NamedLimit(unusedName(limit.kind().word(), before), limit, index);
      }
      checkName("a limit of policy '" + policyName + "'", given);
      int stateId = FIRST_NAMED_ID | (int) (crc(given) & 0x7fff);
      for (NamedLimit other : before) {
        if (other.name().equals(given) || other.stateId() == stateId) {
          throw new IllegalArgumentException(
              "policy '%s' has the limits '%s' and '%s', whose names are the same or too alike;"
                      .formatted(policyName, other.name(), given)
                  + " rename one");
        }
      }
      return new NamedLimit(given, limit, stateId);
    }

    private String unusedName(String word, List<NamedLimit> before) {
      String candidate = word;
      for (int i = 2; isUsed(candidate, before); i++) {
        candidate = word + "-" + i;
      }
      return candidate;
    }

    private boolean isUsed(String candidate, List<NamedLimit> before) {
      return names.contains(candidate)
          || before.stream().anyMatch(other -> other.name().equals(candidate));
    }

    private static void checkName(String what, String name) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "the name of "
                + what
                + " must be 1 to 64 letters, digits, '.', '_' or '-', starting with a letter or"
                + " digit, and was '"
                + name
                + "'");
      }
    }

    private static long crc(String text) {
      CRC32 crc = new CRC32();
      crc.update(text.getBytes(StandardCharsets.UTF_8));
      return crc.getValue();
    }
  }
}
