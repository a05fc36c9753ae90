package dev.weir.adaptive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/**
 * The rulings of a store, as {@link Precedence} wants them at a time. Immutable: a change makes
 * another one, which is swapped whole.
 */
public final class RulingSet {

  private final List<Ruling> rulings;
  private final AddressRanges fixed;

  private RulingSet(Collection<Ruling> rulings, AddressRanges fixed) {
    this.rulings = List.copyOf(rulings);
    this.fixed = fixed;
  }

  /**
   * A set.
   *
   * @param rulings at most one for each target
   * @param fixed the ranges that configuration says
   */
  public static RulingSet of(Collection<Ruling> rulings, AddressRanges fixed) {
    return new RulingSet(rulings, fixed);
  }

  /** Those that hold at a time. */
  public List<Ruling> heldAt(long micros) {
    return rulings.stream().filter(ruling -> ruling.holdsAt(micros)).toList();
  }

  /** What they make of calls at a time, and until {@link #nextChangeMicros}. */
  public Precedence at(long micros) {
    List<ManualOverride> overrides = new ArrayList<>();
    List<AddressRule> rules = new ArrayList<>();
    for (Ruling ruling : heldAt(micros)) {
      if (ruling instanceof ManualOverride override) {
        overrides.add(override);
      } else if (ruling instanceof AddressRule rule) {
        rules.add(rule);
      }
    }
    return Precedence.of(overrides, rules, fixed);
  }

  /** When the next of them begins or ends after a time; empty if none does. */
  public OptionalLong nextChangeMicros(long micros) {
    return rulings.stream()
        .flatMap(
            ruling ->
                java.util.stream.Stream.concat(
                    java.util.stream.Stream.of(ruling.sinceMicros()),
                    ruling.untilMicros().stream()))
        .mapToLong(Long::longValue)
        .filter(change -> change > micros)
        .min();
  }
}
