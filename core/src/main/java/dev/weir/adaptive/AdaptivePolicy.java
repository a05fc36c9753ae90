package dev.weir.adaptive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * How a policy adapts to behaviour: whether, for how many of the subjects, and every number of the
 * model. Immutable.
 *
 * <pre>{@code
 * AdaptivePolicy.builder().mode(Mode.ENFORCE).set(Setting.FIRST_BLOCK, 120).build();
 * }</pre>
 */
public final class AdaptivePolicy {

  /** What the model's verdict is for. */
  public enum Mode {
    /** Nothing is watched. */
    OFF,
    /** The verdict is made and told, and changes no decision. */
    SHADOW,
    /** The verdict lowers limits and blocks. */
    ENFORCE;

    /** The name in a policy file. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final System.Logger LOG = System.getLogger(AdaptivePolicy.class.getName());

  private final Mode mode;
  private final int percentage;
  private final Map<Setting, Double> settings;
  private final Tripwires tripwires;

  private AdaptivePolicy(Builder builder) {
    this.mode = builder.mode;
    this.percentage = builder.percentage;
    this.settings = new EnumMap<>(builder.settings);
    this.tripwires = builder.tripwires;
  }

  /** The default: everything as documented, in shadow. */
  public static AdaptivePolicy standard() {
    return builder().build();
  }

  /** Starts a policy from the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** What the verdict is for; {@link Mode#SHADOW} by default. */
  public Mode mode() {
    return mode;
  }

  /** For how many of a hundred subjects {@link Mode#ENFORCE} enforces; 100 by default. */
  public int percentage() {
    return percentage;
  }

  /** The paths that nobody asks for by accident. */
  public Tripwires tripwires() {
    return tripwires;
  }

  /**
   * The policy for an application with these routes: tripwires that it serves are dropped, and a
   * warning is logged for each.
   *
   * @param routes the templates of the application's routes
   */
  public AdaptivePolicy forRoutes(Collection<String> routes) {
    Map<String, String> served = tripwires.served(routes);
    served.forEach(
        (pattern, route) ->
            LOG.log(
                System.Logger.Level.WARNING,
                "The tripwire {0} is dropped, since the application serves {1}: to ask for it is no"
                    + " evidence. Leave it out of ''tripwires'' in the policy to end this warning.",
                pattern,
                route));
    return served.isEmpty() ? this : with(tripwires.without(served::containsKey));
  }

  private AdaptivePolicy with(Tripwires others) {
    Builder builder = builder().mode(mode).percentage(percentage).tripwires(others);
    settings.forEach(builder::set);
    return builder.build();
  }

  /** A number of the model. */
  public double get(Setting setting) {
    return Objects.requireNonNull(settings.get(setting));
  }

  /** A duration of the model in ticks of 100 ms, at least 1. */
  long ticks(Setting setting) {
    return Math.max(1, Math.round(get(setting) * (1_000_000.0 / Decay.TICK_MICROS)));
  }

  /**
   * Whether the verdict changes decisions about a subject.
   *
   * @param seed the subject's hash, the same on every node
   */
  public boolean enforces(int seed) {
    return mode == Mode.ENFORCE && Integer.remainderUnsigned(seed, 100) < percentage;
  }

  /** The numbers that differ from the defaults, by their names. */
  public Map<String, Double> changed() {
    Map<String, Double> changed = new LinkedHashMap<>();
    for (Setting setting : Setting.ALL) {
      if (get(setting) != setting.standard()) {
        changed.put(setting.word(), get(setting));
      }
    }
    return changed;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AdaptivePolicy policy
        && policy.mode == mode
        && policy.percentage == percentage
        && policy.settings.equals(settings)
        && policy.tripwires.equals(tripwires);
  }

  @Override
  public int hashCode() {
    return Objects.hash(mode, percentage, settings, tripwires);
  }

  @Override
  public String toString() {
    return mode.word() + " " + percentage + "% " + changed();
  }

  /** Collects a policy. Not safe for use by several threads. */
  public static final class Builder {

    private Mode mode = Mode.SHADOW;
    private int percentage = 100;
    private final Map<Setting, Double> settings = new EnumMap<>(Setting.class);
    private Tripwires tripwires = Tripwires.standard();

    private Builder() {
      Setting.ALL.forEach(setting -> settings.put(setting, setting.standard()));
    }

    /** What the verdict is for. */
    public Builder mode(Mode mode) {
      this.mode = Objects.requireNonNull(mode, "mode");
      return this;
    }

    /**
     * For how many of a hundred subjects {@link Mode#ENFORCE} enforces; the others are in shadow.
     *
     * @throws IllegalArgumentException if not from 0 to 100
     */
    public Builder percentage(int percentage) {
      if (percentage < 0 || percentage > 100) {
        throw new IllegalArgumentException(
            "percentage must be from 0 to 100, and was " + percentage);
      }
      this.percentage = percentage;
      return this;
    }

    /** The paths that nobody asks for by accident. */
    public Builder tripwires(Tripwires tripwires) {
      this.tripwires = Objects.requireNonNull(tripwires, "tripwires");
      return this;
    }

    /**
     * Changes a number.
     *
     * @throws IllegalArgumentException if it is out of the setting's range, or for a duration no
     *     multiple of 0.1 s
     */
    public Builder set(Setting setting, double value) {
      if (!(value >= setting.least() && value <= setting.most())) {
        throw new IllegalArgumentException(
            "%s must be from %s to %s, and was %s"
                .formatted(setting.word(), setting.least(), setting.most(), value));
      }
      if (setting.isDuration() && Math.abs(value * 10 - Math.rint(value * 10)) > 1e-9) {
        throw new IllegalArgumentException(
            setting.word() + " must be a multiple of 0.1 seconds, and was " + value);
      }
      settings.put(setting, value);
      return this;
    }

    /**
     * Makes the policy.
     *
     * @throws IllegalArgumentException if two numbers do not go together
     */
    public AdaptivePolicy build() {
      for (List<Setting> pair : ASCENDING) {
        double low = value(pair.get(0));
        double high = value(pair.get(1));
        if (!(low < high)) {
          throw new IllegalArgumentException(
              "%s must be less than %s, and they were %s and %s"
                  .formatted(pair.get(0).word(), pair.get(1).word(), low, high));
        }
      }
      if (value(Setting.FIRST_BLOCK) > value(Setting.LONGEST_BLOCK)) {
        throw new IllegalArgumentException(
            "firstBlock must be at most longestBlock, and they were %s and %s"
                .formatted(value(Setting.FIRST_BLOCK), value(Setting.LONGEST_BLOCK)));
      }
      return new AdaptivePolicy(this);
    }

    private double value(Setting setting) {
      return Objects.requireNonNull(settings.get(setting));
    }
  }

  // Pairs of which the first must be less than the second.
  private static final List<List<Setting>> ASCENDING = ascending();

  private static List<List<Setting>> ascending() {
    List<List<Setting>> pairs = new ArrayList<>();
    pairs.add(List.of(Setting.UNMATCHED_FROM, Setting.UNMATCHED_TO));
    pairs.add(List.of(Setting.SLOW_SCAN_FROM, Setting.SLOW_SCAN_TO));
    pairs.add(List.of(Setting.PROBES_FROM, Setting.PROBES_TO));
    pairs.add(List.of(Setting.AUTH_FAILURES_FROM, Setting.AUTH_FAILURES_TO));
    pairs.add(List.of(Setting.BURST_FROM, Setting.BURST_TO));
    pairs.add(List.of(Setting.REPEAT_FROM, Setting.REPEAT_TO));
    pairs.add(List.of(Setting.REPEAT_SHARE_FROM, Setting.REPEAT_SHARE_TO));
    pairs.add(List.of(Setting.NEW_ROUTES_FROM, Setting.NEW_ROUTES_TO));
    pairs.add(List.of(Setting.DENIALS_FROM, Setting.DENIALS_TO));
    pairs.add(List.of(Setting.MISSING_AGENT_FROM, Setting.MISSING_AGENT_TO));
    pairs.add(List.of(Setting.ELEVATED_LEAVE, Setting.ELEVATED_ENTER));
    pairs.add(List.of(Setting.SUSPICIOUS_LEAVE, Setting.SUSPICIOUS_ENTER));
    pairs.add(List.of(Setting.ELEVATED_ENTER, Setting.SUSPICIOUS_ENTER));
    pairs.add(List.of(Setting.SUSPICIOUS_ENTER, Setting.BLOCKED_ENTER));
    return List.copyOf(pairs);
  }
}
