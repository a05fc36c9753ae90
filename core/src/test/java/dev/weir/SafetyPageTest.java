package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever docs/safety.md names as a guard or a test is there. */
class SafetyPageTest {

  private static final Path ROOT = Path.of(System.getProperty("weir.root"));
  private static final Pattern CLASS = Pattern.compile("`([A-Z][A-Za-z]+)(?:\\.[a-z]\\w*)?`");
  private static final Pattern SCRIPT = Pattern.compile("`([a-z]+\\.lua)`");
  private static final Pattern METHOD = Pattern.compile("\\b((?:b|promise)\\d+[A-Za-z]*)\\*?");

  @Test
  void everyGuardAndTestExists() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/safety.md"));
    Set<String> files = names();
    Set<String> missing = new TreeSet<>();
    for (String name : found(page, CLASS)) {
      if (!files.contains(name + ".java") && !name.equals("TIME") && !name.equals("ReadFrom")) {
        missing.add(name);
      }
    }
    found(page, SCRIPT).stream().filter(name -> !files.contains(name)).forEach(missing::add);
    String tests = tests();
    found(page, METHOD).stream()
        .filter(name -> !tests.contains("void " + name))
        .forEach(missing::add);
    assertThat(missing).as("named in docs/safety.md, and not there").isEmpty();
    assertThat(found(page, CLASS).size()).isGreaterThan(50);
  }

  private static List<String> found(String page, Pattern pattern) {
    // Faults are constants of an enum, in capitals.
    return pattern
        .matcher(page)
        .results()
        .map((MatchResult result) -> result.group(1))
        .filter(name -> !name.equals(name.toUpperCase(java.util.Locale.ROOT)))
        .distinct()
        .toList();
  }

  private static Set<String> names() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files.map(file -> String.valueOf(file.getFileName())).collect(Collectors.toSet());
    }
  }

  private static String tests() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
  }
}
