package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise 1: four processes of 64 threads on one key are admitted exactly the limit. */
class ConcurrencyTest {

  private static final int PROCESSES = 4;
  private static final int THREADS = 64;
  private static final int CALLS = 20;
  private static final int LIMIT = PROCESSES * THREADS * CALLS / 2;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TOKEN_BUCKET_SMOOTH",
        "SLIDING_WINDOW_LOG",
        "SLIDING_WINDOW_COUNTER TOKEN_BUCKET_INTERVAL"
      })
  void manyProcessesAreAdmittedExactlyTheLimit(String shapes)
      throws IOException, InterruptedException {
    try (RedisServer redis = RedisServer.start()) {
      List<Process> processes = new ArrayList<>();
      for (int i = 0; i < PROCESSES; i++) {
        processes.add(hammer(redis, shapes.split(" ")));
      }
      long allowed = 0;
      for (Process process : processes) {
        String printed =
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        allowed += Long.parseLong(printed.replaceAll("(?s).*allowed (\\d+).*", "$1"));
      }
      // Within a day's window at most a few permits come back while the test runs.
      long refilled = shapes.startsWith("TOKEN") ? LIMIT / 1_000 : 0;
      assertThat(allowed).isBetween((long) LIMIT, LIMIT + refilled);
    }
  }

  private static Process hammer(RedisServer redis, String... shapes) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                HammerProcess.class.getName(),
                Integer.toString(redis.port()),
                Integer.toString(THREADS),
                Integer.toString(CALLS),
                Integer.toString(LIMIT)));
    command.addAll(Arrays.asList(shapes));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
