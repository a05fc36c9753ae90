package dev.weir.server.demo;

import java.io.StringWriter;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles the Java code that the page shows. */
final class ShownCode {

  private ShownCode() {}

  /** Throws with the compiler's words if imports and statements do not compile. */
  static void compiles(String code, boolean onRedis) {
    String imports =
        code.lines().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
    String statements =
        code.lines().filter(line -> !line.startsWith("import ")).collect(Collectors.joining("\n"));
    String parameter = onRedis ? "io.lettuce.core.RedisClient redisClient" : "";
    String source =
        "%s%nclass Shown { void run(%s) { %s } }".formatted(imports, parameter, statements);
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("string:///Shown.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                said,
                null,
                null,
                List.of(
                    "-proc:none",
                    "-d",
                    "target/test-classes",
                    "-cp",
                    System.getProperty("java.class.path")),
                null,
                List.of(file))
            .call();
    if (!compiled) {
      throw new AssertionError(said + "\n" + source);
    }
  }
}
