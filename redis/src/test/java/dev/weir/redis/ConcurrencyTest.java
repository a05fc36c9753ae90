package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.RedisServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Promise 1: four processes of 64 threads on one key are admitted exactly the limit (B62, B63). */
class ConcurrencyTest {

  private static final int PROCESSES = 4;
  private static final int THREADS = 64;
  private static final int CALLS = 20;
  private static final int LIMIT = PROCESSES * THREADS * CALLS / 2;

  private static final List<String> POLICIES =
      List.of(
          "TOKEN_BUCKET_SMOOTH",
          "SLIDING_WINDOW_LOG",
          "SLIDING_WINDOW_COUNTER+TOKEN_BUCKET_INTERVAL");

  @Test
  void manyProcessesAreAdmittedExactlyTheLimit() throws InterruptedException {
    try (RedisServer redis = RedisServer.start()) {
      String[] arguments =
          Stream.concat(
                  Stream.of(redis.port(), THREADS, CALLS, LIMIT).map(String::valueOf),
                  POLICIES.stream())
              .toArray(String[]::new);
      List<ChildJvm> processes = new ArrayList<>();
      for (int i = 0; i < PROCESSES; i++) {
        processes.add(ChildJvm.start(HammerProcess.class, arguments));
      }
      Map<String, Long> allowed = new LinkedHashMap<>();
      for (ChildJvm process : processes) {
        count(process.output(), allowed);
      }
      System.out.println("admitted of " + LIMIT + ": " + allowed);
      assertThat(allowed.keySet()).containsExactlyElementsOf(POLICIES);
      // Within a day's window at most a few permits come back while the test runs.
      assertThat(allowed.remove("TOKEN_BUCKET_SMOOTH"))
          .isBetween((long) LIMIT, LIMIT + LIMIT / 1_000L);
      assertThat(allowed.values()).containsOnly((long) LIMIT);
    }
  }

  private static void count(String printed, Map<String, Long> allowed) {
    for (String policy : POLICIES) {
      Pattern line = Pattern.compile(Pattern.quote(policy) + " (\\d+)\\.");
      long of =
          line.matcher(printed)
              .results()
              .mapToLong(result -> Long.parseLong(result.group(1)))
              .findFirst()
              .orElseThrow(() -> new AssertionError(printed));
      allowed.merge(policy, of, Long::sum);
    }
  }
}
