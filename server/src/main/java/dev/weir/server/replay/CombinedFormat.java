package dev.weir.server.replay;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The common and the combined format of Apache and nginx: address, identity, user, time in
 * brackets, the request line, status and size; in the combined format referer and user agent too.
 */
final class CombinedFormat {

  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
  private static final int TIME_LENGTH = "09/Dec/2024:20:41:15 +0000".length();

  // Lines come mostly from the same day.
  private String lastDay = "";
  private long lastDaySeconds;

  @Nullable LogLine parse(String line) {
    try {
      return read(line);
    } catch (IndexOutOfBoundsException | NumberFormatException | DateTimeException e) {
      return null;
    }
  }

  private @Nullable LogLine read(String line) {
    int addressEnd = line.indexOf(' ');
    int userStart = line.indexOf(' ', addressEnd + 1) + 1;
    int timeStart = line.indexOf('[', userStart) + 1;
    if (addressEnd <= 0 || userStart <= 0 || timeStart <= 0) {
      return null;
    }
    long timeMicros = time(line.substring(timeStart, timeStart + TIME_LENGTH));
    int requestStart = line.indexOf('"', timeStart) + 1;
    int requestEnd = quoteEnd(line, requestStart);
    int statusStart = requestEnd + 2;
    int status = Integer.parseInt(line, statusStart, statusStart + 3, 10);
    if (requestStart <= 0 || requestEnd < 0 || status < 100) {
      return null;
    }
    String user = line.substring(userStart, timeStart - 2).strip();
    String request = line.substring(requestStart, requestEnd);
    return LogLines.of(
        line.substring(0, addressEnd), user, timeMicros, request, status, agent(line, statusStart));
  }

  /** The last of the quoted texts after the status, or {@code null} if there are none. */
  private static @Nullable String agent(String line, int from) {
    int refererStart = line.indexOf('"', from) + 1;
    if (refererStart <= 0) {
      return null;
    }
    int agentStart = line.indexOf('"', quoteEnd(line, refererStart) + 1) + 1;
    return agentStart <= 0 ? null : line.substring(agentStart, quoteEnd(line, agentStart));
  }

  /** Where a quoted text ends; a quote in it is written with a backslash. */
  private static int quoteEnd(String line, int start) {
    int end = line.indexOf('"', start);
    while (end > start && line.charAt(end - 1) == '\\') {
      end = line.indexOf('"', end + 1);
    }
    return end;
  }

  private long time(String text) {
    String day = text.substring(0, 11);
    if (!day.equals(lastDay)) {
      int month = MONTHS.indexOf(day.substring(3, 6)) + 1;
      lastDaySeconds =
          LocalDate.of(Integer.parseInt(day, 7, 11, 10), month, Integer.parseInt(day, 0, 2, 10))
                  .toEpochDay()
              * 86_400;
      lastDay = day;
    }
    long seconds =
        lastDaySeconds
            + Integer.parseInt(text, 12, 14, 10) * 3_600L
            + Integer.parseInt(text, 15, 17, 10) * 60L
            + Integer.parseInt(text, 18, 20, 10);
    return (seconds - ZoneOffset.of(text.substring(21)).getTotalSeconds()) * 1_000_000;
  }
}
