package dev.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Test;

/** Runs the examples and looks at what they do. */
class ExamplesTest {

  private interface Program {
    void run() throws Exception;
  }

  private static List<String> printed(Program program) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream captured = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setOut(captured);
      program.run();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void plain() throws Exception {
    assertThat(printed(() -> PlainExample.main(new String[0])))
        .containsExactly(
            "call 1: allowed, 2 left",
            "call 2: allowed, 1 left",
            "call 3: allowed, 0 left",
            "call 4: refused by burst");
  }

  @Test
  void batch() throws Exception {
    List<String> lines = printed(() -> BatchExample.main(new String[0]));
    assertThat(lines).hasSize(21).contains("wrote record 19");
    String last = lines.get(20);
    long millis = Long.parseLong(last.replaceAll("20 records in (\\d+) ms", "$1"));
    assertThat(millis).isGreaterThanOrEqualTo(190);
  }

  @Test
  void servlet() throws Exception {
    Server server = ServletExample.start(0);
    try {
      List<Integer> statuses = new ArrayList<>();
      String last = "";
      for (int i = 0; i < 6; i++) {
        HttpResponse<String> answer =
            HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(server.getURI()).build(), BodyHandlers.ofString());
        statuses.add(answer.statusCode());
        last = answer.body();
      }
      assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 429);
      String page = Files.readString(Path.of(System.getProperty("weir.root"), "docs/servlet.md"));
      assertThat(page).as("the body in the document").contains(last);
    } finally {
      server.stop();
    }
  }

  @Test
  void client() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          boolean refused = asked.incrementAndGet() == 2;
          if (refused) {
            exchange.getResponseHeaders().set("Retry-After", "1");
          }
          exchange.sendResponseHeaders(refused ? 429 : 200, -1);
          exchange.close();
        });
    server.start();
    try {
      URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
      assertThat(printed(() -> ClientExample.main(new String[] {uri.toString()})))
          .containsExactly("answer 1: 200", "answer 2: 200", "answer 3: 200");
      assertThat(asked).hasValue(4);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void theDocumentsShowTheExamples() throws IOException {
    Path root = Path.of(System.getProperty("weir.root"));
    String page = Files.readString(root.resolve("docs/servlet.md"));
    String example =
        Files.readString(
            root.resolve("examples/src/main/java/dev/weir/examples/ServletExample.java"));
    String listener = page.substring(page.indexOf("    RateLimitPolicy policy"));
    listener = listener.substring(0, listener.indexOf("  }\n}"));
    assertThat(example.replaceAll("\\s+", " ")).contains(listener.strip().replaceAll("\\s+", " "));
  }
}
