package dev.weir.servlet;

import dev.weir.testkit.RedisServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the filter costs a request, against the same request without it. Not part of the suite: run
 * it with {@code -Dtest=FilterCost}.
 *
 * <p>One connection sends one request after the other. Rounds of all variants alternate, so that
 * whatever else the machine does falls on all of them; a ratio is of one round.
 */
class FilterCost {

  private static final List<String> VARIANTS =
      List.of("bare", "cost-memory", "cost-redis", "cost-redis-async");
  private static final int REQUESTS = 1_000;
  private static final int WARM_UP = 5;
  private static final int ROUNDS = 15;

  @ParameterizedTest
  @EnumSource(
      value = Container.class,
      names = {"TOMCAT_10_1", "JETTY_EE10"})
  void perRequest(Container container) throws IOException {
    Map<String, List<Double>> micros = new LinkedHashMap<>();
    try (RedisServer redis = RedisServer.start()) {
      System.setProperty(TestApp.REDIS, redis.uri());
      System.setProperty(TestApp.MORTAL_REDIS, redis.uri());
      try (Container.Running running = container.start()) {
        measure(running.port(), micros);
      }
    }
    List<Double> bare = Objects.requireNonNull(micros.get("bare"));
    micros.forEach(
        (variant, rounds) -> {
          List<Double> ratios = new ArrayList<>();
          for (int i = 0; i < rounds.size(); i++) {
            ratios.add(rounds.get(i) / bare.get(i));
          }
          System.out.printf(
              Locale.ROOT,
              "cost: %-12s %-16s us/request %s  ratio %s%n",
              container,
              variant,
              spread(rounds, "%.1f"),
              spread(ratios, "%.2f"));
        });
  }

  private static void measure(int port, Map<String, List<Double>> micros) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (int round = -WARM_UP; round < ROUNDS; round++) {
        List<String> order = new ArrayList<>(VARIANTS);
        Collections.rotate(order, round);
        for (String variant : order) {
          double each = round(socket, in, "/" + variant + "/ok");
          if (round >= 0) {
            micros.computeIfAbsent(variant, it -> new ArrayList<>()).add(each);
          }
        }
      }
    }
  }

  private static double round(Socket socket, InputStream in, String path) throws IOException {
    byte[] request =
        ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    long start = System.nanoTime();
    for (int i = 0; i < REQUESTS; i++) {
      socket.getOutputStream().write(request);
      readAnswer(in);
    }
    return (System.nanoTime() - start) / 1_000.0 / REQUESTS;
  }

  private static void readAnswer(InputStream in) throws IOException {
    String status = line(in);
    if (!status.contains(" 200")) {
      throw new IllegalStateException(status);
    }
    int length = 0;
    boolean chunked = false;
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring(15).strip());
      }
      chunked |= lower.startsWith("transfer-encoding:");
    }
    if (!chunked) {
      in.skipNBytes(length);
      return;
    }
    for (int size = -1; size != 0; ) {
      size = Integer.parseInt(line(in).strip(), 16);
      in.skipNBytes(size + 2L);
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the connection has ended after '" + line + "'");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  private static String spread(List<Double> values, String form) {
    double[] sorted = values.stream().mapToDouble(it -> it).toArray();
    Arrays.sort(sorted);
    String all = "min " + form + " median " + form + " max " + form;
    return String.format(
        Locale.ROOT, all, sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
  }
}
