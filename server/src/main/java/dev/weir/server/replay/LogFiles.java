package dev.weir.server.replay;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/** Access logs on disk, plain or gzip, read one after the other from the earliest. */
final class LogFiles {

  private static final int BUFFER = 1 << 16;
  private static final int GZIP_MAGIC = 0x8b1f;
  private static final int LINES_TO_FIRST_TIME = 1_000;

  private final List<Path> files;
  private long bytesRead;
  private long lines;
  private long broken;
  private long foreign;
  private long outOfOrder;

  /**
   * Logs in the order of their first readable lines.
   *
   * @throws IOException if one cannot be read
   */
  LogFiles(List<Path> files) throws IOException {
    record Dated(Path file, long firstMicros) {}
    List<Dated> dated = new ArrayList<>();
    for (Path file : files) {
      dated.add(new Dated(file, firstMicros(file)));
    }
    this.files =
        dated.stream()
            .sorted(Comparator.comparingLong(Dated::firstMicros))
            .map(Dated::file)
            .toList();
  }

  private long firstMicros(Path file) throws IOException {
    LogFormat format = new LogFormat();
    try (BufferedReader reader = open(file)) {
      for (int i = 0; i < LINES_TO_FIRST_TIME; i++) {
        String line = reader.readLine();
        if (line == null) {
          break;
        }
        LogLine parsed = format.parse(line);
        if (parsed != null) {
          return parsed.timeMicros();
        }
      }
    }
    return Long.MAX_VALUE;
  }

  /** Hands over every readable line in the order of the files. */
  void read(Consumer<LogLine> requests, Consumer<LogFiles> progress) throws IOException {
    bytesRead = 0;
    long latest = Long.MIN_VALUE;
    LogFormat format = new LogFormat();
    for (Path file : files) {
      try (BufferedReader reader = counted(file)) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          lines++;
          LogLine parsed = format.parse(line);
          if (parsed == null) {
            broken++;
            continue;
          }
          if (!parsed.isHttp()) {
            foreign++;
            continue;
          }
          outOfOrder += parsed.timeMicros() < latest ? 1 : 0;
          latest = Math.max(latest, parsed.timeMicros());
          requests.accept(parsed);
          progress.accept(this);
        }
      }
    }
  }

  private BufferedReader counted(Path file) throws IOException {
    return reader(new Counted(Files.newInputStream(file)));
  }

  /** Opens a text, plain or gzip. */
  static BufferedReader open(Path file) throws IOException {
    return reader(Files.newInputStream(file));
  }

  private static BufferedReader reader(InputStream raw) throws IOException {
    InputStream buffered = new BufferedInputStream(raw, BUFFER);
    buffered.mark(2);
    int magic = buffered.read() | buffered.read() << 8;
    buffered.reset();
    InputStream plain = magic == GZIP_MAGIC ? new GZIPInputStream(buffered, BUFFER) : buffered;
    // Logs hold whatever bytes clients sent; ISO 8859-1 takes each as a character.
    return new BufferedReader(new InputStreamReader(plain, StandardCharsets.ISO_8859_1), BUFFER);
  }

  /** The size of all files on disk. */
  long bytes() throws IOException {
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  long bytesRead() {
    return bytesRead;
  }

  /** How many lines were read, broken ones among them. */
  long lines() {
    return lines;
  }

  /** How many lines could not be read as a request. */
  long broken() {
    return broken;
  }

  /** How many lines tell of something that was no HTTP request. */
  long foreign() {
    return foreign;
  }

  /** How many requests were earlier than one before them. */
  long outOfOrder() {
    return outOfOrder;
  }

  private final class Counted extends FilterInputStream {

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = super.read(bytes, offset, length);
      bytesRead += Math.max(0, count);
      return count;
    }
  }
}
