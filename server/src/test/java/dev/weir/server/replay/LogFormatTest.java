package dev.weir.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LogFormatTest {

  private static final long TIME =
      Instant.parse("2024-12-09T20:41:15Z").getEpochSecond() * 1_000_000;

  private final LogFormat format = new LogFormat();

  private LogLine parse(String line) {
    return Objects.requireNonNull(format.parse(line), line);
  }

  @Test
  void combined() {
    LogLine line =
        parse(
            "10.1.2.3 - ann [09/Dec/2024:22:41:15 +0200] \"GET /a/b?c=d HTTP/1.1\" 404 0"
                + " \"http://x/\" \"A \\\"quoted\\\" agent\"");
    assertThat(line)
        .isEqualTo(
            new LogLine("10.1.2.3", "ann", TIME, "GET", "/a/b", 404, "A \\\"quoted\\\" agent"));
    assertThat(line.isHttp()).isTrue();
  }

  @Test
  void commonTellsNoAgent() {
    assertThat(parse("::1 - - [09/Dec/2024:20:41:15 +0000] \"GET / HTTP/1.0\" 200 12"))
        .isEqualTo(new LogLine("::1", null, TIME, "GET", "/", 200, null));
  }

  @Test
  void aMissingAgentIsEmpty() {
    assertThat(parse("a - - [09/Dec/2024:20:41:15 +0000] \"GET / HTTP/1.0\" 200 1 \"-\" \"-\""))
        .extracting(LogLine::agent)
        .isEqualTo("");
  }

  @Test
  void json() {
    LogLine expected = new LogLine("10.1.2.3", null, TIME, "POST", "/a", 401, "x/1");
    assertThat(
            parse(
                "{\"remote_addr\":\"10.1.2.3\",\"time_iso8601\":\"2024-12-09T21:41:15+01:00\","
                    + "\"request\":\"POST /a?b HTTP/2\",\"status\":401,"
                    + "\"http_user_agent\":\"x/1\"}"))
        .isEqualTo(expected);
    assertThat(
            parse(
                "{\"ts\":1733776875.0,\"request\":{\"remote_ip\":\"10.1.2.3\","
                    + "\"method\":\"POST\",\"uri\":\"/a\",\"headers\":{\"User-Agent\":[\"x/1\"]}},"
                    + "\"status\":401}"))
        .isEqualTo(expected);
  }

  @Test
  void whatIsNoLineIsBroken() {
    for (String line :
        new String[] {
          "",
          "nonsense",
          "{\"a\":",
          "{\"status\":200}",
          "10.1.2.3 - - [09/Foo/2024:20:41:15 +0000] \"GET / HTTP/1.1\" 200 0",
          "10.1.2.3 - - [09/Dec/2024:20:41:15 +0000] \"GET / HTTP/1.1\" abc 0",
          "10.1.2.3 - - [09/Dec/2024:20:41:15 +0000"
        }) {
      assertThat(format.parse(line)).as(line).isNull();
    }
  }

  @Test
  void whatIsNoHttpIsToldApart() {
    assertThat(parse("a - - [09/Dec/2024:20:41:15 +0000] \"\\x16\\x03\" 400 0").isHttp()).isFalse();
    assertThat(parse("a - - [09/Dec/2024:20:41:15 +0000] \"-\" 408 0").isHttp()).isFalse();
    assertThat(parse("a - - [09/Dec/2024:20:41:15 +0000] \"GET http://h/p HTTP/1.1\" 200 0"))
        .satisfies(line -> assertThat(line.path()).isEqualTo("/p"));
  }
}
