package dev.weir.bots;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** Asks the name service who an address is. May take seconds. */
@FunctionalInterface
public interface HostNames {

  /**
   * The name of an address, if that name has the address in turn.
   *
   * @param address an address in figures
   */
  Optional<String> confirmed(String address);

  /** The name service of this machine. */
  static HostNames ofThisMachine() {
    return address -> {
      try {
        // Asks for the name, and then whether the name has the address; the address if it has not.
        InetAddress found = InetAddress.getByName(address);
        String name = found.getCanonicalHostName();
        return name.equals(found.getHostAddress()) ? Optional.empty() : Optional.of(name);
      } catch (UnknownHostException e) {
        return Optional.empty();
      }
    };
  }
}
