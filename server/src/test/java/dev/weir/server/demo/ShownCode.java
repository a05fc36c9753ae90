package dev.weir.server.demo;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles the code that the page shows, as a reader would paste it. */
final class ShownCode {

  private ShownCode() {}

  /** The compiler's errors and warnings for imports and statements; none if all is well. */
  static List<String> problems(String... codes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    String classPath = System.getProperty("java.class.path");
    Path output = Files.createDirectories(Path.of("target", "shown-code"));
    List<String> options = List.of("-proc:none", "-d", output.toString(), "-cp", classPath);
    List<Source> sources = new ArrayList<>();
    for (String code : codes) {
      sources.add(new Source("Pasted" + sources.size(), code));
    }
    compiler.getTask(null, null, found, options, null, sources).call();
    return found.getDiagnostics().stream().map(Diagnostic::toString).toList();
  }

  /** A class with the code in a method. */
  private static final class Source extends SimpleJavaFileObject {

    private static final Predicate<String> IS_IMPORT = line -> line.startsWith("import ");

    private final String text;

    Source(String name, String code) {
      super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
      this.text =
          """
          %s
          class %s {
            void run(io.lettuce.core.RedisClient redisClient) {
              %s
            }
          }
          """
              .formatted(
                  code.lines().filter(IS_IMPORT).collect(joining("\n")),
                  name,
                  code.lines().filter(IS_IMPORT.negate()).collect(joining("\n")));
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
