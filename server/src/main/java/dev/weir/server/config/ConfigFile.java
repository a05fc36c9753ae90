package dev.weir.server.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is watched: its content is used whole or not at all. A file that cannot be used
 * leaves what was used before, and says so in the log, in {@link #failures} and in {@link
 * #mistakes}. Safe for use by several threads.
 */
public final class ConfigFile {

  private static final Logger LOG = LoggerFactory.getLogger(ConfigFile.class);

  private final Path path;
  private final Consumer<ServiceConfig> user;
  private final AtomicLong loads = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private @Nullable String seen;
  private volatile List<Mistake> mistakes = List.of();
  private volatile long loadedAtMillis;

  /**
   * Watches a file.
   *
   * @param user is given what the file says, each time it is good and has changed
   */
  public ConfigFile(Path path, Consumer<ServiceConfig> user) {
    this.path = path;
    this.user = user;
  }

  /**
   * Looks at the file, and uses it if it has changed and is good. Costs one read of the file.
   *
   * @param nowMillis the time, for {@link #loadedAtMillis}
   */
  public synchronized void poll(long nowMillis) {
    String text;
    ConfigReader.Result result;
    try {
      text = Files.readString(path);
      if (text.equals(seen)) {
        return;
      }
      result = ConfigReader.read(text);
    } catch (CharacterCodingException e) {
      text = "not UTF-8";
      result = unreadable("is not UTF-8; save it as UTF-8");
    } catch (NoSuchFileException e) {
      text = "no file";
      result = unreadable("is not there; put it back");
    } catch (IOException e) {
      text = "unreadable: " + e.getMessage();
      result = unreadable("cannot be read (" + e.getMessage() + "); give it back its permissions");
    }
    if (text.equals(seen)) {
      return;
    }
    seen = text;
    if (result.isGood()) {
      user.accept(result.config());
      loadedAtMillis = nowMillis;
      loads.incrementAndGet();
      mistakes = List.of();
      LOG.info("{} is in use: {} policies", path, result.config().policies().size());
    } else {
      mistakes = result.mistakes();
      failures.incrementAndGet();
      LOG.error("{} cannot be used; what it said before stays in use", path);
      result.mistakes().forEach(mistake -> LOG.error("{}", mistake.in(path.toString())));
    }
  }

  private static ConfigReader.Result unreadable(String problem) {
    return new ConfigReader.Result(
        ServiceConfig.EMPTY, List.of(new Mistake(1, 1, "", "the file " + problem)));
  }

  /** The file. */
  public Path path() {
    return path;
  }

  /** What is wrong with the file as it is now; empty if it is in use. */
  public List<Mistake> mistakes() {
    return mistakes;
  }

  /** How often a content was put into use. */
  public long loads() {
    return loads.get();
  }

  /** How often a content was refused. */
  public long failures() {
    return failures.get();
  }

  /** When what is in use was read; 0 before. */
  public long loadedAtMillis() {
    return loadedAtMillis;
  }
}
