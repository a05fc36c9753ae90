package dev.weir.config;

import dev.weir.AlgorithmKind;
import dev.weir.CalendarUnit;
import dev.weir.CalendarWindow;
import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.SlidingWindowCounter;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A limit as fields.
 *
 * <table>
 * <caption>The fields of each algorithm</caption>
 * <tr><td>{@code token-bucket}</td><td>{@code capacity}, {@code refillTokens}, {@code
 *     refillPeriod}, {@code refill}: {@code smooth} (default) or {@code interval}</td></tr>
 * <tr><td>{@code fixed-window}</td><td>{@code limit}, {@code window}, {@code alignment}: {@code
 *     first-charge} (default) or {@code clock}</td></tr>
 * <tr><td>{@code sliding-window-log}</td><td>{@code limit}, {@code window}</td></tr>
 * <tr><td>{@code sliding-window-counter}</td><td>{@code limit}, {@code window}</td></tr>
 * <tr><td>{@code leaky-bucket}</td><td>{@code capacity}, {@code leakPermits}, {@code leakPeriod},
 *     {@code mode}: {@code policing} (default) or {@code shaping}</td></tr>
 * <tr><td>{@code concurrency}</td><td>{@code permits}, {@code lease}</td></tr>
 * <tr><td>{@code calendar-window}</td><td>{@code limit}, {@code unit}: {@code hour}, {@code day},
 *     {@code week}, {@code week-from-sunday}, {@code month} or {@code year}, {@code zone}</td></tr>
 * </table>
 *
 * Each may have a {@code name}, which {@link PolicyFields} reads.
 */
public final class LimitFields {

  static final String NAME = "name";
  private static final String ALGORITHM = "algorithm";
  private static final String CAPACITY = "capacity";
  private static final String REFILL_TOKENS = "refillTokens";
  private static final String REFILL_PERIOD = "refillPeriod";
  private static final String REFILL = "refill";
  private static final String LIMIT = "limit";
  private static final String WINDOW = "window";
  private static final String ALIGNMENT = "alignment";
  private static final String LEAK_PERMITS = "leakPermits";
  private static final String LEAK_PERIOD = "leakPeriod";
  private static final String MODE = "mode";
  private static final String PERMITS = "permits";
  private static final String LEASE = "lease";
  private static final String UNIT = "unit";
  private static final String ZONE = "zone";

  private LimitFields() {}

  /**
   * Reads a limit.
   *
   * @param object what a JSON or YAML reader gave for it
   * @param path the path of the object, for errors
   * @throws ConfigException if a field is missing, unknown, of a wrong type or out of range
   */
  public static Limit read(@Nullable Object object, String path) {
    Fields fields = new Fields(object, path);
    AlgorithmKind kind = fields.word(ALGORITHM, AlgorithmKind.values(), null);
    fields.onlyKnown(known(kind));
    try {
      return read(kind, fields);
    } catch (IllegalArgumentException e) {
      throw ConfigException.of(blamed(fields, kind, e), e);
    }
  }

  /** The path of the field that a limit's own message starts with, or of the whole limit. */
  private static String blamed(Fields fields, AlgorithmKind kind, Exception problem) {
    String message = String.valueOf(problem.getMessage());
    for (String name : known(kind)) {
      if (message.startsWith(name + " ")) {
        return fields.path(name);
      }
    }
    return fields.path(kind == AlgorithmKind.TOKEN_BUCKET ? REFILL_PERIOD : LEAK_PERIOD);
  }

  private static Limit read(AlgorithmKind kind, Fields fields) {
    return switch (kind) {
      case TOKEN_BUCKET ->
          new TokenBucket(
              fields.permits(CAPACITY),
              fields.permits(REFILL_TOKENS),
              fields.duration(REFILL_PERIOD),
              fields.word(REFILL, TokenBucket.Refill.values(), TokenBucket.Refill.SMOOTH));
      case FIXED_WINDOW ->
          new FixedWindow(
              fields.permits(LIMIT),
              fields.duration(WINDOW),
              fields.word(
                  ALIGNMENT, FixedWindow.Alignment.values(), FixedWindow.Alignment.FIRST_CHARGE));
      case SLIDING_WINDOW_LOG ->
          new SlidingWindowLog(fields.permits(LIMIT), fields.duration(WINDOW));
      case SLIDING_WINDOW_COUNTER ->
          new SlidingWindowCounter(fields.permits(LIMIT), fields.duration(WINDOW));
      case LEAKY_BUCKET ->
          new LeakyBucket(
              fields.permits(CAPACITY),
              fields.permits(LEAK_PERMITS),
              fields.duration(LEAK_PERIOD),
              fields.word(MODE, LeakyBucket.Mode.values(), LeakyBucket.Mode.POLICING));
      case CONCURRENCY -> new Concurrency(fields.permits(PERMITS), fields.duration(LEASE));
      case CALENDAR_WINDOW ->
          new CalendarWindow(
              fields.permits(LIMIT),
              fields.word(UNIT, CalendarUnit.values(), null),
              fields.zone(ZONE));
    };
  }

  private static List<String> known(AlgorithmKind kind) {
    List<String> known = new ArrayList<>(List.of(NAME, ALGORITHM));
    known.addAll(
        switch (kind) {
          case TOKEN_BUCKET -> List.of(CAPACITY, REFILL_TOKENS, REFILL_PERIOD, REFILL);
          case FIXED_WINDOW -> List.of(LIMIT, WINDOW, ALIGNMENT);
          case SLIDING_WINDOW_LOG, SLIDING_WINDOW_COUNTER -> List.of(LIMIT, WINDOW);
          case LEAKY_BUCKET -> List.of(CAPACITY, LEAK_PERMITS, LEAK_PERIOD, MODE);
          case CONCURRENCY -> List.of(PERMITS, LEASE);
          case CALENDAR_WINDOW -> List.of(LIMIT, UNIT, ZONE);
        });
    return known;
  }

  /** Writes a limit as the fields that {@link #read} reads as an equal one, in a fixed order. */
  public static Map<String, Object> write(Limit limit) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(ALGORITHM, limit.kind().word());
    switch (limit.kind()) {
      case TOKEN_BUCKET -> write((TokenBucket) limit, fields);
      case FIXED_WINDOW -> write((FixedWindow) limit, fields);
      case SLIDING_WINDOW_LOG -> {
        fields.put(LIMIT, limit.capacity());
        fields.put(WINDOW, DurationText.format(((SlidingWindowLog) limit).window()));
      }
      case SLIDING_WINDOW_COUNTER -> {
        fields.put(LIMIT, limit.capacity());
        fields.put(WINDOW, DurationText.format(((SlidingWindowCounter) limit).window()));
      }
      case LEAKY_BUCKET -> write((LeakyBucket) limit, fields);
      case CONCURRENCY -> {
        fields.put(PERMITS, limit.capacity());
        fields.put(LEASE, DurationText.format(limit.quotaWindow()));
      }
      case CALENDAR_WINDOW -> write((CalendarWindow) limit, fields);
    }
    return fields;
  }

  private static void write(TokenBucket bucket, Map<String, Object> fields) {
    fields.put(CAPACITY, bucket.capacity());
    fields.put(REFILL_TOKENS, bucket.refillTokens());
    fields.put(REFILL_PERIOD, DurationText.format(bucket.refillPeriod()));
    fields.put(REFILL, Fields.word(bucket.refill()));
  }

  private static void write(FixedWindow window, Map<String, Object> fields) {
    fields.put(LIMIT, window.limit());
    fields.put(WINDOW, DurationText.format(window.window()));
    fields.put(ALIGNMENT, Fields.word(window.alignment()));
  }

  private static void write(CalendarWindow window, Map<String, Object> fields) {
    fields.put(LIMIT, window.limit());
    fields.put(UNIT, Fields.word(window.unit()));
    fields.put(ZONE, window.zone().getId());
  }

  private static void write(LeakyBucket bucket, Map<String, Object> fields) {
    fields.put(CAPACITY, bucket.capacity());
    fields.put(LEAK_PERMITS, bucket.leakPermits());
    fields.put(LEAK_PERIOD, DurationText.format(bucket.leakPeriod()));
    fields.put(MODE, Fields.word(bucket.mode()));
  }
}
