package dev.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.weir.adaptive.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The schema for editors: it says the same of a file as the service does. */
class SchemaTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What a schema cannot say: what is about two places at once, a calendar, or the YAML itself. */
  private static final Set<String> BEYOND_A_SCHEMA =
      Set.of(
          "adaptive-order",
          "field-twice",
          "limits-same-name",
          "name-twice",
          "not-yaml",
          "plan-name",
          "plan-named-as-policy",
          "proxy-bits",
          "tab",
          "window-short",
          "zone-unknown");

  private static JsonNode schemaText() throws IOException {
    try (InputStream text =
        SchemaTest.class.getClassLoader().getResourceAsStream("web/schema/weir.schema.json")) {
      return JSON.readTree(Objects.requireNonNull(text));
    }
  }

  private static Set<?> errors(Path file) throws IOException {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(schemaText());
    return schema.validate(JSON.valueToTree(YamlTree.read(Files.readString(file)).root()));
  }

  static List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("..", "docs", "examples"))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void anExampleIsGoodToBoth(Path file) throws IOException {
    assertThat(ConfigReader.read(Files.readString(file)).mistakes()).isEmpty();
    assertThat(errors(file)).isEmpty();
  }

  @Test
  void badFilesAreBadToBoth() throws IOException {
    List<String> taken = new ArrayList<>();
    for (String name : BadFilesTest.names()) {
      Path file = Path.of("src/test/resources/dev/weir/server/config/bad", name + ".yaml");
      if (errors(file).isEmpty() && !BEYOND_A_SCHEMA.contains(name)) {
        taken.add(name);
      }
    }
    assertThat(taken).as("bad files that the schema takes").isEmpty();
  }

  @Test
  void everySettingIsThereWithItsRange() throws IOException {
    JsonNode fields = schemaText().at("/$defs/adaptive/properties");
    for (Setting setting : Setting.values()) {
      JsonNode field = fields.path(setting.word());
      JsonNode number = field.has("oneOf") ? field.at("/oneOf/0") : field;
      assertThat(number.path("minimum").asDouble(-1)).isEqualTo(setting.least());
      assertThat(number.path("maximum").asDouble(-1)).isEqualTo(setting.most());
      assertThat(field.path("default").asDouble(-1)).isEqualTo(setting.standard());
      assertThat(field.has("oneOf")).isEqualTo(setting.isDuration());
    }
  }
}
