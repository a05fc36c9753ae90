package dev.weir.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command from its arguments to its files. */
class ReplayCommandTest {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT);

  private static final String LINE =
      "10.0.0.1 - - [%s] \"GET /p%d.php HTTP/1.1\" 404 0 \"-\" \"a<b\"\n";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder = Path.of("unset");

  private int run(Object... arguments) {
    String[] texts = new String[arguments.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = arguments[i].toString();
    }
    return new CommandLine(new ReplayCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(texts);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  /** A scanner of forty missing paths, and a line that is none. */
  private Path log() throws IOException {
    StringBuilder log = new StringBuilder("this is no line\n");
    for (int i = 0; i < 40; i++) {
      String time = TIME.format(Instant.ofEpochSecond(1_700_000_000 + i).atOffset(ZoneOffset.UTC));
      log.append(LINE.formatted(time, i));
    }
    return write("access.log", log.toString());
  }

  private static final String LIMITS =
      "limits:\n  - {algorithm: token-bucket, capacity: 20, refillTokens: 1, refillPeriod: 1s}\n";

  @Test
  void aLogBecomesAReport() throws IOException {
    Path policy = write("adaptive.yaml", LIMITS + "adaptive: {mode: enforce, firstBlock: 2m}\n");
    Path other = write("plain.yaml", LIMITS);
    Path labels = write("labels.csv", "client,label\n10.0.0.1,scanner\n");
    Path page = folder.resolve("out.html");
    Path json = folder.resolve("out.json");
    int code =
        run(
            log(),
            "--policy",
            policy,
            "--against",
            other,
            "--labels",
            labels,
            "--report",
            page,
            "--json",
            json);
    assertThat(code).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("policy adaptive in adaptive.yaml (adaptive: enforce)", "policy plain in ")
        .contains("recall 100.00%");
    assertThat(err.toString()).contains("41 lines read; 1 unreadable");
    assertThat(Files.readString(json)).contains("\"firstBlock\" : 120.0", "\"unmatched\"");
    assertThat(Files.readString(page)).contains("10.0.0.1").doesNotContain("src=", "href=", "a<b");
  }

  @Test
  void aMistakeInThePolicyIsNamed() throws IOException {
    Path policy = write("bad.yaml", LIMITS + "adaptive: {unmatchedPoint: 3}\n");
    assertThat(run(log(), "--policy", policy)).isEqualTo(1);
    assertThat(err.toString()).contains("adaptive.unmatchedPoint", "unmatchedPoints");
  }

  @Test
  void aFileThatIsNotThereIsNamed() throws IOException {
    Path policy = write("plain.yaml", LIMITS);
    assertThat(run(folder.resolve("none.log"), "--policy", policy)).isEqualTo(1);
    assertThat(err.toString()).contains("none.log");
    assertThat(run(log(), "--policy", folder.resolve("none.yaml"))).isEqualTo(1);
    assertThat(err.toString()).contains("there is no file").contains("none.yaml");
  }
}
