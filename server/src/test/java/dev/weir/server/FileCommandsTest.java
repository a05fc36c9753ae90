package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.config.ConfigReader;
import dev.weir.server.security.ApiKey;
import dev.weir.server.security.ApiKeys;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code weir check}, {@code weir key}, and what {@code weir serve} says of a bad file. */
class FileCommandsTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine line = Main.commandLine();
    line.setErr(new PrintWriter(err, true));
    line.setOut(new PrintWriter(out, true));
    return line.execute(arguments);
  }

  @ParameterizedTest
  @ValueSource(strings = {"weir", "minimal", "keys"})
  void theExamplesAreGood(String name) {
    assertThat(run("check", "../docs/examples/" + name + ".yaml")).isZero();
    assertThat(out.toString()).contains(name + ".yaml: good");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void allMistakesAreToldInOneRunAndItIsExit1() {
    String file = "src/test/resources/dev/weir/server/config/bad/several.yaml";
    assertThat(run("check", file)).isEqualTo(1);
    assertThat(err.toString().lines())
        .hasSize(12)
        .contains(
            file
                + ":7:53: policies[0].limits[0].window: 'soon' is not a duration;"
                + " write one like 250ms, 1s, 90m, 12h, 7d or 1h30m")
        .last()
        .isEqualTo("11 mistakes");
  }

  @Test
  void aFileThatIsNotThereOrNoTextIsSaid(@TempDir Path folder) throws IOException {
    Path binary = folder.resolve("binary.yaml");
    Files.write(binary, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertThat(run("check", folder.resolve("none.yaml").toString(), binary.toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("there is no file").contains("is not UTF-8");
  }

  @Test
  void theServiceDoesNotStartWithABadFile() {
    String file = "src/test/resources/dev/weir/server/config/bad/limit-zero.yaml";
    assertThat(run("serve", "--port", "0", "--config", file)).isEqualTo(1);
    assertThat(err.toString())
        .contains(file + ":4:42: policies[0].limits[0].limit: must be a whole number")
        .contains("the service was not started");
  }

  @Test
  void aKeyLetsItsHolderIn() {
    assertThat(run("key", "gateway", "--role", "read")).isZero();
    String said = out.toString();
    Matcher key = Pattern.compile("this once: (weir_[A-Za-z0-9_-]{43})").matcher(said);
    assertThat(key.find()).isTrue();
    String file = said.substring(said.indexOf("apiKeys:"));
    assertThat(file).doesNotContain(key.group(1));
    ApiKeys keys = new ApiKeys(ConfigReader.read(file).config().apiKeys(), false);
    assertThat(keys.find(key.group(1)).map(ApiKey::name)).hasValue("gateway");
    assertThat(keys.find(key.group(1) + "x")).isEmpty();
    assertThat(run("key", "a b")).isEqualTo(2);
    assertThat(run("key", "a", "--role", "root")).isEqualTo(2);
    assertThat(err.toString()).contains("--role must be decide, read or admin, and was 'root'");
  }
}
