package dev.weir.redis;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The lines that breakers log while it is open. */
final class BreakerLog extends Handler implements AutoCloseable {

  private final Logger logger = Logger.getLogger(Breaker.class.getName());
  private final List<String> levels = new CopyOnWriteArrayList<>();

  BreakerLog() {
    logger.addHandler(this);
  }

  /** The level of each line. */
  List<String> levels() {
    return List.copyOf(levels);
  }

  @Override
  public void publish(LogRecord logged) {
    levels.add(logged.getLevel().getName());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
