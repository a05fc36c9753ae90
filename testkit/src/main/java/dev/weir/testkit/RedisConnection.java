package dev.weir.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plain connection to Redis for tests that look at keys without a client library. Texts are
 * ISO-8859-1 both ways, so that any bytes survive. Not safe for use by several threads.
 *
 * <p>Failures of the connection are {@link UncheckedIOException}s.
 */
public final class RedisConnection implements AutoCloseable {

  private static final Charset BYTES = StandardCharsets.ISO_8859_1;
  private static final int TIMEOUT_MILLIS = 10_000;

  private final Socket socket = new Socket();
  private final InputStream in;

  /** Connects. */
  public RedisConnection(String host, int port) {
    try {
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      close();
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sends a command and returns its reply: {@code Long}, {@code String}, {@code List} or {@code
   * null}.
   *
   * @throws RedisReplyException if Redis answers with an error
   */
  public @Nullable Object command(String... command) {
    try {
      send(command);
      return read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void send(String... command) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(("*" + command.length + "\r\n").getBytes(BYTES));
    for (String part : command) {
      out.write(("$" + part.length() + "\r\n" + part + "\r\n").getBytes(BYTES));
    }
    socket.getOutputStream().write(out.toByteArray());
  }

  private @Nullable Object read() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case '-' -> throw new RedisReplyException(rest);
      case ':' -> Long.valueOf(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> list(Integer.parseInt(rest));
      default -> throw new IOException("not a reply of Redis: " + line);
    };
  }

  private @Nullable String bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    String text = new String(in.readNBytes(length), BYTES);
    line();
    return text;
  }

  private @Nullable List<@Nullable Object> list(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    List<@Nullable Object> items = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      items.add(read());
    }
    return items;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\r'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("Redis closed the connection");
      }
      line.append((char) c);
    }
    in.read();
    return line.toString();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
