package dev.weir.adaptive;

import java.util.Objects;
import java.util.Optional;

/**
 * What somebody decided about a range of addresses.
 *
 * @param range which addresses
 * @param isDenied whether everything is refused to them; otherwise they are limited and never
 *     judged by behaviour
 * @param author who decided
 * @param reason why
 * @param sinceMicros since when, since the epoch
 * @param untilMicros until when; empty for as long as it is not lifted
 */
public record AddressRule(
    Cidr range,
    boolean isDenied,
    String author,
    String reason,
    long sinceMicros,
    Optional<Long> untilMicros)
    implements Ruling {

  /** Checks that somebody answers for it. */
  public AddressRule {
    Objects.requireNonNull(range, "range");
    Ruling.checkText("author", author);
    Ruling.checkText("reason", reason);
    Ruling.checkTimes(sinceMicros, untilMicros);
  }

  /** Everything is to be refused to a range, until that is lifted. */
  public static AddressRule deny(Cidr range, String author, String reason) {
    return new AddressRule(range, true, author, reason, 0, Optional.empty());
  }

  /** A range is never to be judged by behaviour, until that is lifted. */
  public static AddressRule allow(Cidr range, String author, String reason) {
    return new AddressRule(range, false, author, reason, 0, Optional.empty());
  }

  @Override
  public String target() {
    return Ruling.rangeTarget(range);
  }

  @Override
  public AddressRule during(long sinceMicros, Optional<Long> untilMicros) {
    return new AddressRule(range, isDenied, author, reason, sinceMicros, untilMicros);
  }

  @Override
  public Treatment treatment() {
    String why = "range %s by %s: %s".formatted(range, author, reason);
    return isDenied
        ? new Treatment(Treatment.Kind.REFUSED, Tier.NORMAL, "denied " + why)
        : new Treatment(Treatment.Kind.LIMITED, Tier.NORMAL, "allowed " + why);
  }
}
