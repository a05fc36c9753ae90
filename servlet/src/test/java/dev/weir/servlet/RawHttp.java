package dev.weir.servlet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends requests as they are, also such that no client would send. */
final class RawHttp {

  private RawHttp() {}

  /**
   * Sends a request line and headers over a connection of its own.
   *
   * @return the status
   */
  static int status(int port, String requestLine, String... headers) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      String head = String.join("\r\n", headers);
      String request =
          requestLine
              + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n"
              + (head.isEmpty() ? "" : head + "\r\n")
              + "\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      String answer =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      return Integer.parseInt(answer.substring(9, 12));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
