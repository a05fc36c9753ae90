package dev.weir.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real redis-server as a child process on a free port of the loopback address, without
 * persistence. It ends with {@link #close} and with the JVM. Not safe for use by several threads.
 *
 * <p>The folder stays the same when the server is started again, so a node of a Cluster and a
 * Sentinel remember who they are.
 */
public final class RedisServer implements AutoCloseable {

  private static final String HOST = "127.0.0.1";
  private static final int ATTEMPTS = 5;
  private static final long START_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final Path program;
  private final List<String> options;
  private final Path folder;
  private final Path log;
  private int port;
  private Process process;

  private RedisServer(RedisVersion version, List<String> options, List<String> configuration) {
    this.program = version.program();
    this.options = new ArrayList<>();
    try {
      // A folder of its own, since Redis loads whatever dump it finds where it starts.
      this.folder = Files.createTempDirectory("weir-redis-");
      this.log = folder.resolve("redis.log");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!configuration.isEmpty()) {
      this.options.add(write("redis.conf", configuration).toString());
    }
    this.options.addAll(options);
    this.process = launch();
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** Starts the {@linkplain RedisVersion#usual() usual} version. */
  public static RedisServer start() {
    return start(RedisVersion.usual());
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param options further command line options of redis-server
   * @throws IllegalStateException if it does not answer within 20 s; the message has its log
   */
  public static RedisServer start(RedisVersion version, String... options) {
    List<String> all =
        new ArrayList<>(List.of("--save", "", "--appendonly", "no", "--daemonize", "no"));
    all.addAll(List.of(options));
    return new RedisServer(version, all, List.of());
  }

  /** Starts a Sentinel with that configuration, to which it adds what it finds out. */
  static RedisServer startSentinel(RedisVersion version, List<String> configuration) {
    return new RedisServer(version, List.of("--sentinel"), configuration);
  }

  /** The address to connect to. */
  public String host() {
    return HOST;
  }

  /** The port to connect to. */
  public int port() {
    return port;
  }

  /** {@code redis://host:port}. */
  public String uri() {
    return "redis://" + HOST + ":" + port;
  }

  /** The process id. */
  public long pid() {
    return process.pid();
  }

  /**
   * Sends one command on a connection of its own and returns the reply: {@code Long}, {@code
   * String}, {@code List} or {@code null}.
   *
   * @throws RedisReplyException if Redis answers with an error
   */
  public @Nullable Object command(String... command) {
    try (RedisConnection connection = new RedisConnection(HOST, port)) {
      return connection.command(command);
    }
  }

  /** Stops the process without ending it: connections stay open and nothing is answered. */
  public void pause() {
    signal("STOP");
  }

  /** Lets a paused process go on. */
  public void resume() {
    signal("CONT");
  }

  /** Whether the process runs, paused or not. */
  public boolean isRunning() {
    return process.isAlive();
  }

  /** Ends the process at once, as a crash does. */
  public void kill() {
    process.destroyForcibly();
    join();
  }

  /** Starts the server again on the same port, empty, after killing it if it still runs. */
  public void restart() {
    kill();
    remove(folder.resolve("dump.rdb"));
    process = launchOn(port, List.of());
    awaitAnswer();
  }

  /**
   * Starts the server again on the same port with what it has saved, and does not wait until it has
   * read that.
   *
   * @param more options for this time
   */
  public void restartSaved(String... more) {
    kill();
    process = launchOn(port, List.of(more));
  }

  @Override
  public void close() {
    kill();
    removeFolder();
  }

  private Process launch() {
    for (int attempt = 1; ; attempt++) {
      port = Ports.free();
      process = launchOn(port, List.of());
      try {
        awaitAnswer();
        return process;
      } catch (IllegalStateException e) {
        process.destroyForcibly();
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private Process launchOn(int port, List<String> more) {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    // A configuration file comes first if there is one.
    command.addAll(options);
    command.addAll(List.of("--bind", HOST, "--port", Integer.toString(port)));
    command.addAll(more);
    try {
      Process started =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + program, e);
    }
  }

  /** Waits for an answer of any kind, an error too: the server may ask for a password. */
  private void awaitAnswer() {
    long deadline = System.nanoTime() + START_NANOS;
    while (System.nanoTime() < deadline && process.isAlive()) {
      try {
        command("PING");
        return;
      } catch (RedisReplyException e) {
        if (!e.getMessage().startsWith("LOADING")) {
          return;
        }
      } catch (UncheckedIOException e) {
        // not listening yet
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
    throw new IllegalStateException(
        program + " did not answer on port " + port + "; its log: " + readLog());
  }

  private String readLog() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "cannot be read: " + e.getMessage();
    }
  }

  private void signal(String signal) {
    try {
      int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(pid())).start().waitFor();
      if (exit != 0) {
        throw new IllegalStateException("kill -" + signal + " " + pid() + " ended with " + exit);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void join() {
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Path write(String name, List<String> lines) {
    try {
      return Files.write(folder.resolve(name), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void removeFolder() {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> files = Files.list(folder)) {
      files.forEach(RedisServer::remove);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    remove(folder);
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
