package dev.weir.adaptive;

import java.util.List;

/**
 * Ranges of addresses that configuration denies or allows. Immutable.
 *
 * @param denied to whom everything is refused
 * @param allowed who is limited and never judged by behaviour
 */
public record AddressRanges(List<Cidr> denied, List<Cidr> allowed) {

  /** Copies the lists. */
  public AddressRanges {
    denied = List.copyOf(denied);
    allowed = List.copyOf(allowed);
  }

  /** Nobody denied, loopback allowed. */
  public static AddressRanges standard() {
    return new AddressRanges(List.of(), Precedence.LOOPBACK);
  }
}
