package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command line: what it says to somebody who got it wrong. */
class ServeCommandTest {

  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine line = Main.commandLine();
    line.setErr(new PrintWriter(err, true));
    line.setOut(new PrintWriter(new StringWriter(), true));
    return line.execute(arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "serve --port 65536|--port must be from 0 to 65535, and was 65536",
        "serve --port x|Invalid value for option '--port'",
        "serve --redis-port 0|--redis-port must be from 1 to 65535, and was 0",
        "serve --redis redis://a --redis-port 1|cannot be combined",
        "serve --redis nonsense|--redis must be like redis://127.0.0.1:6379, and was 'nonsense'",
        "serve --colour|Unknown option: '--colour'",
        "sevre|Unmatched argument at index 0: 'sevre'",
      })
  void wrongArgumentsAreExit2AndSaidPrecisely(String arguments, String message) {
    assertThat(run(arguments.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void aPortInUseIsExit1AndSaysWhatToDo() {
    try (RunningServer server = RunningServer.inMemory()) {
      assertThat(run("serve", "--port", Integer.toString(server.port()))).isEqualTo(1);
      assertThat(err.toString())
          .contains("cannot listen on 127.0.0.1:" + server.port())
          .contains("choose another with --port");
    }
  }

  @Test
  void aRedisThatIsNotThereIsExit1AndSaysWhatToDo() {
    assertThat(run("serve", "--port", "0", "--redis-port", "1")).isEqualTo(1);
    assertThat(err.toString()).contains("cannot use the Redis at 127.0.0.1:1").contains("--redis");
  }
}
