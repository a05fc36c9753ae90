package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.RateLimitPolicy;
import dev.weir.SlidingWindowLog;
import dev.weir.testkit.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a key takes in Redis, and what calls on a log of a million entries cost (B66). */
class LogFootprintTest extends LiveRedis {

  private static final String KEY = "weir:{log:u}";
  private static final String TIME = "weir-test-time";
  private static final int CHUNK = 128;
  private static final int MILLION = 1_000_000;
  private static final long DAY_MICROS = 86_400_000_000L;
  private static final long START = DAY_MICROS * 20_000;
  private static final RateLimitPolicy LOG =
      RateLimitPolicy.of("log", SlidingWindowLog.of(MILLION, Duration.ofDays(1)));

  // Other work on the machine may hold up Redis for a while; a walk over all entries takes longer.
  private static final long MOST_MICROS = 25_000;

  /** A clock that goes on by a microsecond with each reading, so that calls can be sent ahead. */
  private static final String TICKING =
      "local function now_micros() return redis.call('INCR', '"
          + TIME
          + "') end\n"
          + "local function expiry_millis() return 86400000 end\n";

  // A log with an entry in each microsecond after the start, as calls would leave it.
  private static final String FILL =
      """
      local start, entries, chunk = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
      for from = 0, entries - 1, chunk do
        local parts = {}
        for entry = from, math.min(entries, from + chunk) - 1 do
          parts[#parts + 1] = struct.pack('>I7I6', start + entry + 1, entry + 1)
        end
        local field = struct.pack('>c1I2I6', 'c', 0, from / chunk)
        redis.call('HSET', KEYS[1], field, table.concat(parts))
      end
      redis.call('HSET', KEYS[1], 's', struct.pack(
        '>c1I2I7I6I6I6I6I7I4',
        'L', 0, start + entries, 0, entries, 0, entries, start + entries, 0))
      redis.call('PEXPIRE', KEYS[1], 86400000)
      """;

  @ParameterizedTest
  @EnumSource(Shape.class)
  void aKeyTakesLittleMemory(Shape shape) {
    RedisRateLimiter limiter =
        limiter(RateLimitPolicy.of("demo", shape.of(100, Duration.ofHours(1))));
    limiter.tryAcquire("user:123", 7);
    long bytes = memory("weir:{demo:user:123}");
    System.out.println("memory: " + shape + " " + bytes + " B");
    assertThat(bytes).isLessThanOrEqualTo(shape == Shape.SLIDING_WINDOW_LOG ? 500 : 120);
  }

  @Test
  void anEntryOfALogTakesAtMostSixteenBytes() {
    int calls = 4_000;
    server.command("SET", TIME, Long.toString(START));
    RedisRateLimiter limiter = onTickingClock(LOG);
    List<CompletableFuture<Decision>> sent = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      sent.add(limiter.tryAcquireAsync("u"));
    }
    assertThat(sent).allMatch(call -> call.join().allowed());
    Map<Object, Object> stored = storedFields();
    fill(calls);
    assertThat(storedFields()).as("what this test makes is what calls leave").isEqualTo(stored);
    fill(MILLION);
    double perEntry = memory(KEY) / (double) MILLION;
    System.out.printf("memory: sliding log %.1f B per entry%n", perEntry);
    assertThat(perEntry).isLessThanOrEqualTo(16);
  }

  private static Map<Object, Object> storedFields() {
    List<?> reply = (List<?>) Objects.requireNonNull(server.command("HGETALL", KEY));
    Map<Object, Object> fields = new HashMap<>();
    for (int i = 0; i < reply.size(); i += 2) {
      fields.put(reply.get(i), reply.get(i + 1));
    }
    return fields;
  }

  @Test
  void b66AMillionEntriesThatExpireAtOnceBlockNobody() {
    RedisRateLimiter limiter = millionEntries();
    assertThat(limiter.peek("u").remaining()).isZero();
    assertThat(limiter.tryAcquire("u").allowed()).isFalse();
    server.command("SET", TIME, Long.toString(START + DAY_MICROS + MILLION));
    long slowest = 0;
    for (int i = 1; i <= 100; i++) {
      long before = micros("evalsha");
      assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(MILLION - i);
      slowest = Math.max(slowest, micros("evalsha") - before);
      assertThat(fields()).as("8 chunks go with each call").isLessThanOrEqualTo(7_815 - 8L * i);
    }
    System.out.println("b66: all entries gone, slowest of 100 calls " + slowest + " us");
    assertThat(slowest).isLessThan(MOST_MICROS);
    assertThat(limiter.damagedStates()).isZero();
  }

  @Test
  void b66AnyPartOfAMillionEntriesMayLeave() {
    RedisRateLimiter limiter = millionEntries();
    long slowest = 0;
    for (int gone : new int[] {1, 999, 250_000, 500_000, 999_999}) {
      server.command("SET", TIME, Long.toString(START + DAY_MICROS + gone - 1));
      long before = micros("evalsha");
      Decision look = limiter.peek("u", MILLION);
      slowest = Math.max(slowest, micros("evalsha") - before);
      assertThat(look.remaining()).isEqualTo(gone);
      assertThat(look.retryAfter().toMicros()).isEqualTo(MILLION - gone);
    }
    System.out.println("b66: parts gone, slowest look " + slowest + " us");
    assertThat(slowest).isLessThan(MOST_MICROS);
  }

  @Test
  void b66ResetAndAnotherPolicyOnAMillionEntriesBlockNobody() {
    RedisRateLimiter limiter = millionEntries();
    limiter.reset("u");
    long unlinked = micros("unlink");
    assertThat(unlinked).isLessThan(MOST_MICROS);
    assertThat(limiter.peek("u").remaining()).isEqualTo(MILLION);
    fill(MILLION);
    server.command("CONFIG", "RESETSTAT");
    limiter.changePolicy(
        RateLimitPolicy.of("log", Shape.FIXED_WINDOW_FIRST_CHARGE.of(2 * MILLION, days(1))));
    assertThat(limiter.tryAcquire("u").remaining()).isEqualTo(MILLION - 1);
    // The other policy's script was not known, so it came as a whole.
    long replaced = micros("eval");
    System.out.println("b66: unlinked in " + unlinked + " us, replaced in " + replaced + " us");
    assertThat(replaced).isPositive().isLessThan(MOST_MICROS);
  }

  private RedisRateLimiter millionEntries() {
    fill(MILLION);
    RedisRateLimiter limiter = onTickingClock(LOG);
    server.command("SCRIPT", "LOAD", Script.of(LOG, Operation.ACQUIRE, TICKING).text());
    server.command("CONFIG", "RESETSTAT");
    return limiter;
  }

  private static void fill(int entries) {
    server.command("DEL", KEY);
    server.command("SET", TIME, Long.toString(START + entries));
    server.command("EVAL", FILL, "1", KEY, "" + START, "" + entries, "" + CHUNK);
  }

  private static RedisRateLimiter onTickingClock(RateLimitPolicy policy) {
    return LettuceRateLimiter.builder(connection, policy)
        .scripts((any, operation) -> Script.of(any, operation, TICKING))
        .timeout(Duration.ofSeconds(30))
        .build();
  }

  private static Duration days(int days) {
    return Duration.ofDays(days);
  }

  private static long fields() {
    return (Long) Objects.requireNonNull(server.command("HLEN", KEY));
  }

  private static long memory(String key) {
    return (Long) Objects.requireNonNull(server.command("MEMORY", "USAGE", key, "SAMPLES", "0"));
  }

  /** The time that Redis has spent in a command since the last CONFIG RESETSTAT. */
  private static long micros(String command) {
    String stats = String.valueOf(server.command("INFO", "commandstats"));
    int at = stats.indexOf("cmdstat_" + command + ":");
    return at < 0
        ? 0
        : Long.parseLong(stats.substring(at).replaceAll("(?s)^.*?usec=(\\d+).*$", "$1"));
  }
}
