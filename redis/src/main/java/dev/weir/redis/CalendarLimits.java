package dev.weir.redis;

import dev.weir.CalendarWindow;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The limits of a policy that go by a calendar. Redis knows no time zones and this process must not
 * decide by its own clock: it sends windows around what it takes for Redis' time, and sends others
 * if the script answers that its time is outside of them. Safe for use by several threads.
 */
final class CalendarLimits {

  /** The first number of a reply that judged nothing, as store.lua gives it. */
  private static final long OUTSIDE = 2;

  private final ServerClock clock;
  private final Map<Integer, CalendarArguments> calendars = new TreeMap<>();

  CalendarLimits(RateLimitPolicy policy, ServerClock clock) {
    this.clock = clock;
    for (int i = 0; i < policy.limits().size(); i++) {
      Limit limit = policy.limits().get(i).limit();
      if (limit instanceof CalendarWindow window) {
        calendars.put(i, new CalendarArguments(window));
      }
    }
  }

  /**
   * Puts the windows around Redis' time, as far as it is known here, into the script's arguments.
   */
  void fill(List<byte[]> arguments) {
    if (!calendars.isEmpty()) {
      long micros = clock.epochMicros();
      calendars.forEach((limit, calendar) -> fill(arguments, limit, calendar.around(micros)));
    }
  }

  private static void fill(List<byte[]> arguments, int limit, List<byte[]> instants) {
    int at = LimitArguments.firstParameter(limit);
    for (int i = 0; i < instants.size(); i++) {
      arguments.set(at + i, instants.get(i));
    }
  }

  /** Whether the script has judged and written nothing, since its time was outside the windows. */
  boolean areOutside(List<Long> reply) {
    return !reply.isEmpty() && reply.get(0) == OUTSIDE;
  }

  /** The arguments with the windows that such a reply asks for. */
  List<byte[]> corrected(List<byte[]> arguments, List<Long> reply) {
    List<byte[]> corrected = new ArrayList<>(arguments);
    clock.shows(reply.get(1));
    calendars.forEach(
        (limit, calendar) -> {
          long asked = reply.get(PolicyCall.HEAD + limit * Decision.VERDICT_LENGTH);
          fill(corrected, limit, calendar.around(asked));
        });
    return corrected;
  }
}
