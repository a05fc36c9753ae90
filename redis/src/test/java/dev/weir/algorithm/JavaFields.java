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
      return fields(
          'D', state, drain.whole(), drain.fraction(), drain.denominator(), drain.capacity());
    } else if (state instanceof IntervalState interval) {
      return fields('I', state, interval.anchorMicros(), interval.used(), interval.capacity());
    } else if (state instanceof WindowState window) {
      return fields('W', state, window.startMicros(), window.used());
    } else if (state instanceof CounterState counter) {
      return fields('C', state, counter.current(), counter.previous(), counter.carried());
    }
    if (state instanceof ConcurrencyState held) {
      return fields('K', state, leases(held));
    }
    ChargeLog log = ((LogState) state).log();
    long before = log.total(log.first() - 1);
    long newest = log.end() == log.first() ? 0 : log.time(log.end() - 1);
    return fields('L', state, log.first(), log.end(), before, log.total(log.end() - 1), newest);
  }

  private static long[] leases(ConcurrencyState state) {
    long[] fields = new long[2 + state.count() * 2];
    fields[0] = state.used();
    fields[1] = state.count();
    for (int i = 0; i < state.count(); i++) {
      fields[2 + i * 2] = state.times()[i];
      fields[3 + i * 2] = state.permits()[i];
    }
    return fields;
  }

  private static StoredFields fields(char letter, LimitState state, long... own) {
    List<Long> values = new ArrayList<>(List.of(state.lastMicros()));
    for (long value : own) {
      values.add(value);
    }
    return new StoredFields(letter, values);
  }
}
