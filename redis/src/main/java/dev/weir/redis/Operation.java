package dev.weir.redis;

import java.util.List;
import java.util.Locale;

/** What a script does to a key, and the files that its text ends with. */
enum Operation {
  /** Judges, and charges what is admitted. */
  ACQUIRE("acquire.lua", false),
  /** Judges only; the same script. */
  PEEK("acquire.lua", false),
  /** Charges whatever is available. */
  CHARGE("charge.lua", false),
  /** Gives back. */
  REFUND("refund.lua", false),
  /** Judges several keys, and charges all or none. */
  JOINT("joint.lua", false),
  /** Judges, charges, and notes it down. */
  RESERVE("reserve.lua", true),
  /** Ends what was noted down. */
  SETTLE("settle.lua", true),
  /** Judges by behaviour and limits, and charges what is admitted. */
  ADAPTIVE("adaptive.lua", false),
  /** Judges so only; the same script. */
  ADAPTIVE_PEEK("adaptive.lua", false),
  /** Notes how the application answered. */
  OUTCOME("outcome.lua", false),
  /** Reads a behaviour. */
  EXPLAIN("explain.lua", false);

  private final String file;
  private final boolean usesReservations;

  Operation(String file, boolean usesReservations) {
    this.file = file;
    this.usesReservations = usesReservations;
  }

  List<String> files() {
    return switch (this) {
      case ADAPTIVE, ADAPTIVE_PEEK, OUTCOME -> List.of("seen.lua", "behaviour.lua", file);
      default -> usesReservations ? List.of("reservations.lua", file) : List.of(file);
    };
  }

  /** Whether its second key is that of the reservations. */
  boolean usesReservations() {
    return usesReservations;
  }

  /** The script's first argument. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
