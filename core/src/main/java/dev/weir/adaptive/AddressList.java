package dev.weir.adaptive;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ranges of addresses, of which the one with the longest prefix is found. Immutable. */
public final class AddressList {

  /** No ranges. */
  public static final AddressList EMPTY = of(List.of());

  private record Length(int bytes, int bits) {}

  private final Map<Length, Map<ByteBuffer, Cidr>> ranges = new HashMap<>();
  private final List<Length> longestFirst;

  private AddressList(Collection<Cidr> cidrs) {
    for (Cidr cidr : cidrs) {
      byte[] prefix = cidr.prefix();
      ranges
          .computeIfAbsent(new Length(prefix.length, cidr.bits()), length -> new HashMap<>())
          .put(ByteBuffer.wrap(prefix), cidr);
    }
    this.longestFirst = new ArrayList<>(ranges.keySet());
    longestFirst.sort(Comparator.comparingInt(length -> -length.bits()));
  }

  /** A list of ranges. */
  public static AddressList of(Collection<Cidr> cidrs) {
    return new AddressList(cidrs);
  }

  /** The range with the longest prefix that an address is in; none for what is no address. */
  public Optional<Cidr> find(String address) {
    if (longestFirst.isEmpty()) {
      return Optional.empty();
    }
    byte[] bytes = Cidr.address(address).orElse(new byte[0]);
    for (Length length : longestFirst) {
      Map<ByteBuffer, Cidr> same = ranges.get(length);
      if (length.bytes() == bytes.length && same != null) {
        Cidr found = same.get(ByteBuffer.wrap(Cidr.masked(bytes, length.bits())));
        if (found != null) {
          return Optional.of(found);
        }
      }
    }
    return Optional.empty();
  }
}
