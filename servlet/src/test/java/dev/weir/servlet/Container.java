package dev.weir.servlet;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A servlet container that runs in this process, in a class loader of its own: the containers have
 * classes of the same names, and each needs its own version of the servlet API.
 */
enum Container {
  /** Servlet 6.0. */
  TOMCAT_10_1("TomcatLauncher", "tomcat-(embed-core-10\\.1|annotations-api).*"),
  /** Servlet 6.1. */
  TOMCAT_11("TomcatLauncher", "tomcat-(embed-core-11|annotations-api).*"),
  /** Jetty 12 with Servlet 5.0, of which {@code jetty-jakarta-servlet-api} has its own copy. */
  JETTY_EE9("JettyEe9Launcher", "jetty-.*"),
  /** Jetty 12 with Servlet 6.0. */
  JETTY_EE10("JettyEe10Launcher", "jetty-(?!jakarta-servlet).*|jakarta\\.servlet-api-6.*");

  private static final Path MODULE = Path.of(System.getProperty("weir.root"), "servlet");

  private final String launcher;
  private final String jars;

  Container(String launcher, String jars) {
    this.launcher = launcher;
    this.jars = jars;
  }

  /** Starts it with the contexts of {@link TestApp}. */
  Running start() {
    URLClassLoader loader = new URLClassLoader(urls(), ClassLoader.getPlatformClassLoader());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      Object started =
          loader.loadClass("dev.weir.servlet." + launcher).getMethod("start").invoke(null);
      int port = (int) started.getClass().getMethod("port").invoke(started);
      return new Running(port, started, loader);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(this + " did not start", e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private URL[] urls() {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!isOfContainer(entry) || isOfThis(entry)) {
        urls.add(url(Path.of(entry)));
      }
    }
    try (Stream<Path> copied = Files.list(MODULE.resolve("target/containers"))) {
      copied.filter(it -> isOfThis(it.toString())).forEach(it -> urls.add(url(it)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return urls.toArray(URL[]::new);
  }

  private static boolean isOfContainer(String entry) {
    String name = Path.of(entry).getFileName().toString();
    return name.startsWith("tomcat-") || name.startsWith("jetty-") || name.contains("servlet-api");
  }

  private boolean isOfThis(String entry) {
    return Path.of(entry).getFileName().toString().matches(jars);
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A container that runs. */
  record Running(int port, Object server, URLClassLoader loader) implements AutoCloseable {

    @Override
    public void close() {
      try {
        server.getClass().getMethod("stop").invoke(server);
        loader.close();
      } catch (ReflectiveOperationException | IOException e) {
        throw new IllegalStateException("the container did not stop", e);
      }
    }
  }
}
