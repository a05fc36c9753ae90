package dev.weir.redis;

import dev.weir.CalendarWindow;
import dev.weir.algorithm.CalendarWindows;
import dev.weir.algorithm.CalendarWindows.Window;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A calendar's windows around a time, as the script reads them. Remembers the latest; safe for use
 * by several threads.
 */
final class CalendarArguments {

  private static final long LATEST_MICROS = 1L << 52;

  private final CalendarWindows windows;
  private volatile @Nullable Sent latest;

  /**
   * What is sent for a stretch of time.
   *
   * @param stretch the half of a window
   * @param instants the start of the first window, the start of the second, and its end
   */
  private record Sent(Window stretch, List<byte[]> instants) {}

  CalendarArguments(CalendarWindow limit) {
    this.windows = new CalendarWindows(limit);
  }

  /**
   * The window that a time is in and the nearest other one: a guess that is wrong by less than half
   * a window costs nothing.
   */
  List<byte[]> around(long micros) {
    long time = Math.max(0, Math.min(LATEST_MICROS, micros));
    Sent sent = latest;
    if (sent == null || !sent.stretch().holds(time)) {
      sent = sent(time);
      latest = sent;
    }
    return sent.instants();
  }

  private Sent sent(long time) {
    Window window = windows.at(time);
    long start = window.startMicros();
    long end = window.endMicros();
    long middle = start + (end - start) / 2;
    if (start == 0) {
      return new Sent(window, instants(window, windows.at(end)));
    }
    return time < middle
        ? new Sent(new Window(start, middle), instants(windows.at(start - 1), window))
        : new Sent(new Window(middle, end), instants(window, windows.at(end)));
  }

  private static List<byte[]> instants(Window first, Window second) {
    return Stream.of(first.startMicros(), second.startMicros(), second.endMicros())
        .map(micros -> LimitArguments.bytes(Long.toString(micros)))
        .toList();
  }
}
