package dev.weir.server.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.weir.config.ConfigException;

/** The parameters of an address. */
final class Parameters {

  private Parameters() {}

  /** A text, or the one for when it is absent. */
  static String text(ServiceRequestContext ctx, String name, String absent) {
    String given = ctx.queryParam(name);
    return given == null ? absent : given;
  }

  /** A text that must be there. */
  static String text(ServiceRequestContext ctx, String name) {
    String given = ctx.queryParam(name);
    if (given == null) {
      throw new ConfigException(name, "is missing; add ?" + name + "= to the address");
    }
    return given;
  }

  /** A whole number in a range. */
  static int number(ServiceRequestContext ctx, String name, int absent, int least, int most) {
    String given = ctx.queryParam(name);
    if (given == null) {
      return absent;
    }
    try {
      int number = Integer.parseInt(given);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, as a number out of range is.
    }
    throw new ConfigException(
        name, "must be a whole number from %d to %d, and was '%s'".formatted(least, most, given));
  }
}
