package dev.weir.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every benchmark runs and measures something; how fast is for the real run to say. */
class SmokeTest {

  @Test
  void everyGoalIsMeasured(@TempDir Path folder) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Report report =
        Main.run(
            List.of(Main.Part.values()),
            Settings.SMOKE,
            new Report(new PrintStream(out, true, StandardCharsets.UTF_8)));
    report.printGoals();
    assertThat(report.goals()).hasSizeGreaterThanOrEqualTo(16);
    assertThat(report.goals()).allMatch(goal -> Double.isFinite(goal.measured().median()));
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("goal many-keys-vs-bucket4j", "bucket4j", "redisson", "log entry");
    Path json = folder.resolve("bench.json");
    report.write(json);
    assertThat(Files.readString(json)).contains("\"goals\"", "\"processors\"");
  }
}
