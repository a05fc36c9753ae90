package dev.weir.algorithm;

import dev.weir.redis.StoredFields;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The states that Java keeps for a key, in the form in which a test reads those in Redis. */
public final class JavaFields {

  private JavaFields() {}

  /** The fields of the states of limits with these ids; empty if nothing is stored. */
  public static List<StoredFields> of(@Nullable PolicyState stored, Collection<Integer> ids) {
    List<StoredFields> fields = new ArrayList<>();
    for (int id : ids) {
      LimitState state = stored == null ? null : stored.find(id, 0);
      if (state != null) {
        fields.add(of(state));
      }
    }
    return fields;
  }

  private static StoredFields of(LimitState state) {
    if (state instanceof DrainState drain) {
      return fields('D', state, drain.whole(), drain.fraction(), drain.denominator());
    } else if (state instanceof IntervalState interval) {
      return fields('I', state, interval.anchorMicros(), interval.used());
    } else if (state instanceof WindowState window) {
      return fields('W', state, window.startMicros(), window.used());
    } else if (state instanceof CounterState counter) {
      return fields('C', state, counter.current(), counter.previous(), counter.carried());
    }
    ChargeLog log = ((LogState) state).log();
    long before = log.total(log.first() - 1);
    return fields('L', state, log.first(), log.end(), before, log.total(log.end() - 1));
  }

  private static StoredFields fields(char letter, LimitState state, long... own) {
    List<Long> values = new ArrayList<>(List.of(state.lastMicros()));
    for (long value : own) {
      values.add(value);
    }
    return new StoredFields(letter, values);
  }
}
