package dev.weir.server.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What somebody reads who made a mistake in a file: whole messages, and where. */
class BadFilesTest {

  private static final Path BAD =
      Path.of("src", "test", "resources", "dev", "weir", "server", "config", "bad");

  static List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(BAD)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          .map(name -> name.substring(0, name.length() - ".yaml".length()))
          .sorted()
          .toList();
    }
  }

  static String messages(String name) throws IOException {
    String file = name + ".yaml";
    return ConfigReader.read(Files.readString(BAD.resolve(file))).mistakes().stream()
        .map(mistake -> mistake.in(file) + "\n")
        .collect(joining());
  }

  @ParameterizedTest
  @MethodSource("names")
  void eachMistakeIsToldWithItsPlace(String name) throws IOException {
    assertThat(messages(name)).isEqualTo(Files.readString(BAD.resolve(name + ".txt")));
  }

  @Test
  void thereIsAFileForEachKindOfMistake() throws IOException {
    assertThat(names()).hasSizeGreaterThanOrEqualTo(60);
  }
}
