package dev.weir.server.replay;

import java.io.PrintWriter;
import java.util.Locale;

/** A bar on the terminal while logs are read. */
final class Progress {

  private static final int WIDTH = 30;
  private static final int LINES_BETWEEN_LOOKS = 20_000;

  private final long bytes;
  private final PrintWriter err;
  private long lines;

  Progress(long bytes, PrintWriter err) {
    this.bytes = Math.max(1, bytes);
    this.err = err;
  }

  void show(LogFiles files) {
    lines++;
    if (lines % LINES_BETWEEN_LOOKS == 0) {
      draw(files);
    }
  }

  /** Draws the full bar, and tells what was read. */
  void end(LogFiles files) {
    draw(files);
    err.printf(
        Locale.ROOT,
        "%n%,d lines read; %,d unreadable, %,d no HTTP requests, %,d out of order%n",
        files.lines(),
        files.broken(),
        files.foreign(),
        files.outOfOrder());
    err.flush();
  }

  private void draw(LogFiles files) {
    double share = Math.min(1, (double) files.bytesRead() / bytes);
    int full = (int) (share * WIDTH);
    err.printf(
        Locale.ROOT,
        "\r[%s%s] %3.0f%%  %,d lines",
        "#".repeat(full),
        ".".repeat(WIDTH - full),
        share * 100,
        files.lines());
    err.flush();
  }
}
