package dev.weir.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.SlidingWindowCounter;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import dev.weir.config.LimitFields;
import dev.weir.local.LocalRateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the page draws between two answers is what the limiter would have answered: a random trace
 * of a limiter on a clock of its own is replayed in the page's model, which must know at every
 * moment in between what is left.
 */
class DemoModelTest extends BrowserTest {

  private static final int CALLS = 150;
  private static final long START_MILLIS = 1_000_003;

  /** Answers where the model differed from the limiter. */
  private static final String REPLAY =
      """
      const [limit, trace] = given;
      const { freshState, observe, view } = await import('/js/model.js');
      const { numbersOf } = await import('/js/algorithms.js');
      let state = freshState(numbersOf(limit));
      const wrong = [];
      for (const { at, cost, answer, later, left, charged } of trace) {
        state = observe(state, answer, { cost, charged, sentAt: at, at });
        for (const [time, expected] of [[at, answer.remaining], [later, left]]) {
          const shown = view(state, time).remaining;
          if (shown !== expected) wrong.push({ at, time, shown, expected });
        }
      }
      return wrong.map((one) => JSON.stringify(one));
      """;

  static Stream<Limit> limits() {
    return Stream.of(
        TokenBucket.interval(10, 1, Duration.ofSeconds(1)),
        TokenBucket.interval(10, 3, Duration.ofMillis(700)),
        TokenBucket.smooth(10, 1, Duration.ofSeconds(1)),
        TokenBucket.smooth(20, 4, Duration.ofMillis(1000)),
        FixedWindow.of(10, Duration.ofSeconds(3)),
        FixedWindow.alignedToClock(10, Duration.ofSeconds(3)),
        SlidingWindowLog.of(10, Duration.ofSeconds(3)),
        SlidingWindowCounter.of(10, Duration.ofSeconds(4)),
        LeakyBucket.policing(10, 1, Duration.ofSeconds(1)),
        LeakyBucket.shaping(10, 2, Duration.ofMillis(500)));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void knowsWhatIsLeftBetweenTheAnswers(Limit limit) {
    open();
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Object wrong = browser().runAsync(REPLAY, LimitFields.write(limit), trace(limit, seed));
    assertThat(wrong).as("seed %d", seed).isEqualTo(List.of());
  }

  private static List<Map<String, Object>> trace(Limit limit, long seed) {
    Random random = new Random(seed);
    AtomicLong nowMillis = new AtomicLong(START_MILLIS);
    LocalRateLimiter limiter =
        LocalRateLimiter.builder(RateLimitPolicy.of("demo", limit))
            .timeSource(() -> nowMillis.get() * 1000)
            .build();
    List<Map<String, Object>> trace = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      boolean charged = random.nextInt(4) > 0;
      long cost = random.nextInt(4);
      Decision decision = charged ? limiter.tryAcquire("key", cost) : limiter.peek("key", cost);
      Map<String, Object> step = new LinkedHashMap<>();
      step.put("at", nowMillis.get());
      step.put("cost", cost);
      step.put("charged", charged);
      step.put("answer", answer(decision));
      nowMillis.addAndGet(random.nextInt(random.nextInt(10) == 0 ? 6000 : 500));
      step.put("later", nowMillis.get());
      step.put("left", limiter.peek("key", 0).remaining());
      trace.add(step);
    }
    return trace;
  }

  private static Map<String, Object> answer(Decision decision) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("allowed", decision.allowed());
    answer.put("limit", decision.limit());
    answer.put("remaining", decision.remaining());
    answer.put("resetAfterMs", roundedUp(decision.resetAfter()));
    answer.put("delayMs", roundedUp(decision.delay()));
    answer.put("retryAfterMs", roundedUp(decision.retryAfter().toDuration()));
    return answer;
  }

  private static long roundedUp(Duration duration) {
    return duration.plusNanos(999_999).toMillis();
  }
}
