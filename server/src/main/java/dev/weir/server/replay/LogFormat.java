package dev.weir.server.replay;

import org.jspecify.annotations.Nullable;

/** Reads lines of an access log: combined and common format, and JSON, told apart line by line. */
final class LogFormat {

  private final JsonFormat json = new JsonFormat();
  private final CombinedFormat combined = new CombinedFormat();

  /** The request of a line, or {@code null} if the line cannot be read. */
  @Nullable LogLine parse(String line) {
    return line.startsWith("{") ? json.parse(line) : combined.parse(line);
  }
}
