package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CalendarUnit;
import dev.weir.CalendarWindow;
import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.TokenBucket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The client's clock and Redis' own: a wrong one here costs a round trip, once, and nothing else.
 */
class CalendarClockTest extends LiveRedis {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final CalendarWindow MONTHLY = CalendarWindow.of(100, CalendarUnit.MONTH, BERLIN);
  private static final long HOUR_MICROS = 3_600_000_000L;

  private static RedisRateLimiter limiter(RateLimitPolicy policy, long aheadMicros) {
    return LettuceRateLimiter.builder(connection, policy)
        .timeout(Duration.ofSeconds(10))
        .serverClock(new ServerClock(() -> System.currentTimeMillis() * 1_000 + aheadMicros))
        .build();
  }

  private static RateLimitPolicy policy() {
    return RateLimitPolicy.of("api", TokenBucket.smooth(1_000, 1, Duration.ofHours(1)), MONTHLY);
  }

  @Test
  void aDecisionIsOneCallWhereTheClocksAgree() {
    RedisRateLimiter limiter = limiter(policy(), 0);
    limiter.tryAcquire("u");
    server.command("CONFIG", "RESETSTAT");
    for (int i = 0; i < 10; i++) {
      assertThat(limiter.tryAcquire("u").source()).isEqualTo(Source.REDIS);
    }
    assertThat(calls("evalsha")).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(longs = {-24 * 365 * 60, -24 * 62, 24 * 62, 24 * 365 * 60, 24 * 365 * 10_000L})
  void aWrongClockCostsARoundTripOnce(long hoursAhead) {
    limiter(policy(), 0).peek("u");
    RedisRateLimiter limiter = limiter(policy(), hoursAhead * HOUR_MICROS);
    server.command("CONFIG", "RESETSTAT");
    Decision first = limiter.tryAcquire("u", 2);
    assertThat(first.source()).isEqualTo(Source.REDIS);
    assertThat(first.remaining()).isEqualTo(98);
    assertThat(calls("evalsha")).isEqualTo(2);
    assertThat(calls("set")).as("the first call wrote nothing").isEqualTo(1);
    assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(97);
    assertThat(limiter.tryAcquire("another").remaining()).isEqualTo(99);
    limiter.changePolicy(RateLimitPolicy.of("api", MONTHLY));
    limiter.tryAcquire("third");
    assertThat(calls("evalsha")).as("the error is remembered").isEqualTo(5);
  }

  @Test
  void processesWithWrongClocksShareOneWindow() {
    List<RedisRateLimiter> limiters =
        IntStream.range(-5, 5)
            .mapToObj(i -> limiter(policy(), i * 400L * 24 * HOUR_MICROS))
            .toList();
    List<CompletableFuture<Decision>> calls =
        IntStream.range(0, 200).mapToObj(i -> limiters.get(i % 10).tryAcquireAsync("u")).toList();
    assertThat(calls.stream().filter(call -> call.join().allowed()).count()).isEqualTo(100);
  }

  @Test
  void theFirstCallAfterAFlushOfScriptsIsDecidedToo() {
    RedisRateLimiter limiter = limiter(policy(), 400 * 24 * HOUR_MICROS);
    server.command("SCRIPT", "FLUSH");
    assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(99);
    assertThat(limiter.peek("u").remaining()).isEqualTo(99);
  }

  @Test
  void aKeyExpiresWhenItsWindowEndsOnRedisClock() {
    Decision decision = limiter(RateLimitPolicy.of("api", MONTHLY), 0).tryAcquire("u");
    long reset = decision.resetAfter().toMillis();
    assertThat(expiryMillis("weir:{api:u}")).isBetween(reset - 1_000, reset + 2);
    assertThat(Instant.now().plusMillis(reset).atZone(BERLIN).plusMinutes(1).getDayOfMonth())
        .isEqualTo(1);
  }

  @Test
  void aDamagedStateIsCountedOnceThoughItIsReadTwice() {
    RedisRateLimiter limiter = limiter(RateLimitPolicy.of("api", MONTHLY), 9_600 * HOUR_MICROS);
    server.command("SET", "weir:{api:u}", "x".repeat(22));
    assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(99);
    assertThat(limiter.damagedStates()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "2025-06-13T23:59:59.999999Z, 2, PT0.000001S",
    "2025-06-14T00:00:00Z,        1, PT24H",
    "2025-06-14T23:59:59.999999Z, 1, PT0.000001S",
    "2025-06-15T00:00:00Z,        1, PT24H",
    "2025-06-15T23:59:59.999999Z, 1, PT0.000001S",
    "2025-06-16T00:00:00Z,        2, PT24H",
  })
  void theWindowsSentReachAsFarAsTheySay(Instant redisTime, int calls, Duration reset) {
    // In the first half of a day: that day and the one before are sent.
    long taken = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse("2025-06-15T11:00:00Z"));
    server.command("SET", "time", ChronoUnit.MICROS.between(Instant.EPOCH, redisTime) + "");
    RateLimitPolicy daily =
        RateLimitPolicy.of("api", CalendarWindow.of(5, CalendarUnit.DAY, ZoneOffset.UTC));
    RedisRateLimiter limiter =
        LettuceRateLimiter.builder(connection, daily)
            .timeout(Duration.ofSeconds(10))
            .scripts((policy, operation) -> reading("redis.call('GET', 'time')", policy, operation))
            .serverClock(new ServerClock(() -> taken))
            .build();
    server.command("CONFIG", "RESETSTAT");
    Decision decision = limiter.tryAcquire("u");
    assertThat(decision.resetAfter()).isEqualTo(reset);
    assertThat(calls("evalsha")).isEqualTo(calls);
  }

  /** A script whose clock is an expression. */
  private static Script reading(String micros, RateLimitPolicy policy, Operation operation) {
    String clock =
        """
        local function now_micros()
          return tonumber(%s)
        end
        local function expiry_millis(_, reset_micros)
          return math.ceil(reset_micros / 1000) + 1000
        end
        """;
    return Script.of(policy, operation, clock.formatted(micros));
  }

  @Test
  void aTimeThatRunsAwayFromTheWindowsIsAFailureThatChargesNothing() {
    String leaping = "redis.call('INCRBY', 'time', %d)".formatted(48 * HOUR_MICROS);
    RateLimitPolicy daily =
        RateLimitPolicy.of("api", CalendarWindow.of(5, CalendarUnit.DAY, ZoneOffset.UTC));
    try (RedisRateLimiter limiter =
        LettuceRateLimiter.builder(connection, daily)
            .timeout(Duration.ofSeconds(10))
            .scripts((policy, operation) -> reading(leaping, policy, operation))
            .build()) {
      Decision decision = limiter.tryAcquire("u");
      assertThat(decision.failure()).hasValue(FailureCause.TIMEOUT);
      assertThat(decision.source().isDegraded()).isTrue();
      assertThat(server.command("EXISTS", "weir:{api:u}")).isEqualTo(0L);
    }
  }

  @Test
  void aClockWrongByLessThanHalfAWindowCostsNothing() {
    CalendarArguments day =
        new CalendarArguments(CalendarWindow.of(1, CalendarUnit.DAY, ZoneOffset.UTC));
    long noon = TimeUnit.DAYS.toMicros(20_000) + 12 * HOUR_MICROS;
    assertThat(numbers(day.around(noon - 1)))
        .containsExactly(noon - 36 * HOUR_MICROS, noon - 12 * HOUR_MICROS, noon + 12 * HOUR_MICROS);
    assertThat(numbers(day.around(noon)))
        .containsExactly(noon - 12 * HOUR_MICROS, noon + 12 * HOUR_MICROS, noon + 36 * HOUR_MICROS);
    assertThat(numbers(day.around(Long.MIN_VALUE)))
        .containsExactly(0L, 24 * HOUR_MICROS, 48 * HOUR_MICROS);
    assertThat(numbers(day.around(Long.MAX_VALUE)).get(0)).isLessThanOrEqualTo(1L << 52);
    assertThat(numbers(day.around(Long.MAX_VALUE)).get(2)).isGreaterThan(1L << 52);
  }

  private static List<Long> numbers(List<byte[]> arguments) {
    return arguments.stream()
        .map(bytes -> Long.parseLong(new String(bytes, StandardCharsets.US_ASCII)))
        .toList();
  }
}
