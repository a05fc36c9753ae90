package dev.weir.testkit;

import dev.weir.CalendarWindow;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimitPolicy.NamedLimit;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.util.stream.Collectors;

/** Writes traces down as the Java code that makes them, for a test to be pasted into. */
final class JavaCode {

  private static final int NAMED = 0x8000;

  private JavaCode() {}

  static String of(Trace trace) {
    return "new Trace(\n    "
        + of(trace.policy())
        + ",\n    "
        + trace.startMicros()
        + "L,\n    List.of(\n        "
        + trace.steps().stream().map(JavaCode::of).collect(Collectors.joining(",\n        "))
        + "))";
  }

  static String of(RateLimitPolicy policy) {
    StringBuilder code = new StringBuilder("RateLimitPolicy.builder(\"");
    code.append(policy.name()).append("\")");
    for (NamedLimit named : policy.limits()) {
      code.append(".limit(");
      if ((named.stateId() & NAMED) != 0) {
        code.append('"').append(named.name()).append("\", ");
      }
      code.append(of(named.limit())).append(')');
    }
    return code.append(".build()").toString();
  }

  static String of(Limit limit) {
    return switch (limit.kind()) {
      case TOKEN_BUCKET -> {
        TokenBucket bucket = (TokenBucket) limit;
        yield "new TokenBucket(%d, %d, %s, TokenBucket.Refill.%s)"
            .formatted(
                bucket.capacity(),
                bucket.refillTokens(),
                of(bucket.refillPeriod()),
                bucket.refill());
      }
      case LEAKY_BUCKET -> {
        LeakyBucket bucket = (LeakyBucket) limit;
        yield "new LeakyBucket(%d, %d, %s, LeakyBucket.Mode.%s)"
            .formatted(
                bucket.capacity(), bucket.leakPermits(), of(bucket.leakPeriod()), bucket.mode());
      }
      case FIXED_WINDOW -> {
        FixedWindow window = (FixedWindow) limit;
        yield "new FixedWindow(%d, %s, FixedWindow.Alignment.%s)"
            .formatted(window.limit(), of(window.window()), window.alignment());
      }
      case CALENDAR_WINDOW -> {
        CalendarWindow window = (CalendarWindow) limit;
        yield "new CalendarWindow(%d, CalendarUnit.%s, ZoneId.of(\"%s\"))"
            .formatted(window.limit(), window.unit(), window.zone());
      }
      case SLIDING_WINDOW_LOG -> window("SlidingWindowLog", limit);
      case SLIDING_WINDOW_COUNTER -> window("SlidingWindowCounter", limit);
      case CONCURRENCY -> window("Concurrency", limit);
    };
  }

  private static String window(String type, Limit limit) {
    return "new %s(%d, %s)".formatted(type, limit.capacity(), of(limit.quotaWindow()));
  }

  private static String of(Duration duration) {
    return "Duration.of(%dL, ChronoUnit.MICROS)".formatted(ManualClock.micros(duration));
  }

  static String of(Step step) {
    if (step instanceof Step.Acquire acquire) {
      return "new Step.Acquire(%d, %d)".formatted(acquire.key(), acquire.permits());
    }
    if (step instanceof Step.Peek peek) {
      return "new Step.Peek(%d, %d)".formatted(peek.key(), peek.permits());
    }
    if (step instanceof Step.Reset reset) {
      return "new Step.Reset(%d)".formatted(reset.key());
    }
    if (step instanceof Step.Advance advance) {
      return "new Step.Advance(%dL)".formatted(advance.micros());
    }
    if (step instanceof Step.Await await) {
      return "new Step.Await(Step.Advice.%s, %d)".formatted(await.what(), await.offset());
    }
    if (step instanceof Step.Charge charge) {
      return "new Step.Charge(%d, %d)".formatted(charge.key(), charge.permits());
    }
    if (step instanceof Step.Refund refund) {
      return "new Step.Refund(%d, %d)".formatted(refund.key(), refund.permits());
    }
    if (step instanceof Step.GiveBack back) {
      return "new Step.GiveBack(%d, %d, %d)".formatted(back.key(), back.back(), back.permits());
    }
    if (step instanceof Step.Reserve reserve) {
      return "new Step.Reserve(%d, %d, %dL)"
          .formatted(reserve.key(), reserve.permits(), reserve.lifeMicros());
    }
    if (step instanceof Step.Settle settle) {
      return "new Step.Settle(%d, %d, %d)".formatted(settle.key(), settle.back(), settle.permits());
    }
    return "new Step.Change(%s)".formatted(of(((Step.Change) step).policy()));
  }
}
