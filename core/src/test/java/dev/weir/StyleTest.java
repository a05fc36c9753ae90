package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the style rules that no formatter knows, over all sources of the repository. */
class StyleTest {

  private static final Path ROOT = Path.of(System.getProperty("weir.root"));
  private static final int LONGEST_LINE = 100;
  private static final int LONGEST_METHOD = 60;
  private static final int LONGEST_FILE = 400;

  // A method starts at a member's indent and ends at the brace of the same indent.
  private static final Pattern METHOD_START =
      Pattern.compile("( {2}| {4})[^ /*@}].*\\) (throws .*)?\\{");

  @Test
  void linesAreShort() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path file : sources(".java", ".lua", ".js", ".css", ".sh")) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        // A link and an import cannot be broken.
        if (lines.get(i).length() > LONGEST_LINE
            && !lines.get(i).contains("http")
            && !lines.get(i).startsWith("import ")) {
          tooLong.add(at(file, i) + " has " + lines.get(i).length() + " characters");
        }
      }
    }
    assertThat(tooLong).as("lines of more than %d characters: break them", LONGEST_LINE).isEmpty();
  }

  @Test
  void methodsAreShort() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path file : sources(".java")) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (METHOD_START.matcher(lines.get(i)).matches() && !declaresType(lines.get(i))) {
          int length = end(lines, i) - i + 1;
          if (length > LONGEST_METHOD) {
            tooLong.add(at(file, i) + " has " + length + " lines");
          }
        }
      }
    }
    assertThat(tooLong).as("methods of more than %d lines: split them", LONGEST_METHOD).isEmpty();
  }

  private static boolean declaresType(String line) {
    return line.matches(".*\\b(class|interface|enum|record)\\b.*");
  }

  private static int end(List<String> lines, int start) {
    String indent = lines.get(start).replaceAll("\\S.*", "");
    int end = start;
    while (end < lines.size() - 1 && !lines.get(end).startsWith(indent + "}")) {
      end++;
    }
    return end;
  }

  @Test
  void filesAreSmall() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path file : sources(".java", ".lua", ".js")) {
      long code = Files.readAllLines(file).stream().filter(StyleTest::isCode).count();
      if (code > LONGEST_FILE) {
        tooLong.add(at(file, 0) + " has " + code + " lines of code");
      }
    }
    assertThat(tooLong).as("files of more than %d lines: split them", LONGEST_FILE).isEmpty();
  }

  private static boolean isCode(String line) {
    return !line.isBlank() && !line.strip().matches("(//|/\\*|\\*|--).*");
  }

  private static String at(Path file, int line) {
    return ROOT.relativize(file) + ":" + (line + 1);
  }

  private static List<Path> sources(String... endings) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Path> sources =
          files
              .filter(file -> !file.toString().contains("/target/"))
              .filter(file -> ROOT.relativize(file).toString().contains("src/"))
              .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
              .toList();
      assertThat(sources).as("sources below %s", ROOT).isNotEmpty();
      return sources;
    }
  }
}
