package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailureCause;
import dev.weir.FailureMode;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import io.lettuce.core.api.StatefulRedisConnection;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Limiters on one connection meet an outage once, together. */
class SharedBreakersTest extends LiveRedis {

  private static final Duration BUDGET = Duration.ofMillis(400);
  private static final Duration PROBES = Duration.ofMillis(20);

  private final List<RedisRateLimiter> limiters = new ArrayList<>();
  private final List<BreakerNotes> notes = new ArrayList<>();

  @AfterEach
  void heal() {
    server.resume();
    server.command("REPLICAOF", "NO", "ONE");
    limiters.forEach(RedisRateLimiter::close);
  }

  private static RateLimitPolicy policy(String name) {
    return RateLimitPolicy.builder(name)
        .limit(FixedWindow.of(1_000_000, Duration.ofHours(1)))
        .failureMode(FailureMode.open())
        .build();
  }

  private RedisRateLimiter add(RedisRateLimiter.Builder builder, Duration timeout) {
    BreakerNotes own = new BreakerNotes();
    RedisRateLimiter limiter = builder.timeout(timeout).probeInterval(PROBES).listener(own).build();
    limiters.add(limiter);
    notes.add(own);
    return limiter;
  }

  private RedisRateLimiter add(String policy) {
    return add(LettuceRateLimiter.builder(connection, policy(policy)), BUDGET);
  }

  /** The first calls load classes and scripts, which may take longer than a budget. */
  private void awaitAll() {
    await(() -> limiters.stream().allMatch(SharedBreakersTest::decides));
  }

  private static boolean decides(RedisRateLimiter limiter) {
    return limiter.peek("warm").source() == Source.REDIS;
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it comes within ten seconds").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"connection", "client", "pool", "unified"})
  void threePoliciesPayForAnOutageOnceAndEachIsTold(String kind) {
    try (JedisPool pool = new JedisPool(server.host(), server.port());
        UnifiedJedis unified =
            new UnifiedJedis(
                new PooledConnectionProvider(new HostAndPort(server.host(), server.port())),
                1,
                Duration.ofSeconds(5));
        BreakerLog log = new BreakerLog()) {
      Function<RateLimitPolicy, RedisRateLimiter.Builder> builder =
          switch (kind) {
            case "connection" -> policy -> LettuceRateLimiter.builder(connection, policy);
            case "client" -> policy -> LettuceRateLimiter.builder(client, policy);
            case "pool" -> policy -> JedisRateLimiter.builder(pool, policy);
            default -> policy -> JedisRateLimiter.builder(unified, policy);
          };
      for (String name : List.of("api", "login", "search")) {
        add(builder.apply(policy(name)), BUDGET);
      }
      awaitAll();
      notes.forEach(BreakerNotes::clear);
      int before = log.levels().size();

      server.pause();
      long start = System.nanoTime();
      for (int i = 0; i < 30; i++) {
        assertThat(limiters.get(i % 3).tryAcquire("u").source()).isEqualTo(Source.DEGRADED_OPEN);
      }
      assertThat(System.nanoTime() - start)
          .as("one budget for all three")
          .isBetween(BUDGET.toNanos(), 2 * BUDGET.toNanos());
      server.resume();
      awaitAll();

      assertThat(log.levels().subList(before, log.levels().size()))
          .as("one line when it opens and one when it closes")
          .containsExactly("WARNING", "INFO");
      assertThat(notes)
          .extracting(BreakerNotes::told)
          .containsOnly(List.of("open timeout", "closed timeout"));
      limiters.forEach(RedisRateLimiter::close);
    }
  }

  @Test
  void aListenerThatManyLimitersHaveIsToldOnce() {
    BreakerNotes one = new BreakerNotes();
    for (String name : List.of("api", "login", "search")) {
      limiters.add(
          LettuceRateLimiter.builder(connection, policy(name))
              .timeout(Duration.ofSeconds(5))
              .probeInterval(PROBES)
              .listener(one)
              .build());
    }
    awaitAll();
    server.command("REPLICAOF", "127.0.0.1", "1");
    limiters.forEach(limiter -> limiter.tryAcquire("u"));
    assertThat(one.told()).containsExactly("open readonly");
    limiters.get(0).close();
    assertThat(one.told()).as("the others still have it").hasSize(1);
    server.command("REPLICAOF", "NO", "ONE");
    limiters.remove(0);
    awaitAll();
    assertThat(one.told()).containsExactly("open readonly", "closed readonly");
  }

  @Test
  void aLimiterMadeInAnOutageKnowsOfIt() {
    add("api");
    awaitAll();
    notes.forEach(BreakerNotes::clear);
    server.pause();
    limiters.get(0).tryAcquire("u");
    RedisRateLimiter late = add("late");
    assertThat(notes.get(1).told()).containsExactly("open timeout");
    long start = System.nanoTime();
    assertThat(late.tryAcquire("u").failure()).contains(FailureCause.TIMEOUT);
    assertThat(System.nanoTime() - start).isLessThan(BUDGET.toNanos());
    server.resume();
    awaitAll();
    assertThat(notes.get(1).told()).containsExactly("open timeout", "closed timeout");
  }

  @Test
  void theOthersRecoverThoughTheLimiterThatMetTheOutageIsClosed() {
    try (JedisPool pool = new JedisPool(server.host(), server.port())) {
      add(JedisRateLimiter.builder(pool, policy("api")), BUDGET);
      add(JedisRateLimiter.builder(pool, policy("login")), BUDGET);
      awaitAll();
      notes.forEach(BreakerNotes::clear);
      server.pause();
      limiters.get(0).tryAcquire("u");
      limiters.get(0).close();
      assertThat(notes.get(0).told())
          .as("what it was told does not stay open for ever")
          .containsExactly("open timeout", "closed timeout");
      assertThat(notes.get(1).told()).containsExactly("open timeout");
      server.resume();
      await(() -> decides(limiters.get(1)));
      assertThat(notes.get(1).told()).containsExactly("open timeout", "closed timeout");
      limiters.get(1).close();
    }
  }

  @Test
  void theLastLimiterThatIsClosedEndsTheProbes() {
    add("api");
    add("login");
    awaitAll();
    server.command("REPLICAOF", "127.0.0.1", "1");
    limiters.get(0).tryAcquire("u");
    limiters.get(0).close();
    long before = calls("eval");
    await(() -> calls("eval") > before + 2);
    limiters.get(1).close();
    // A probe that is under way may still arrive, and at most one.
    LockSupport.parkNanos(PROBES.toNanos());
    long after = calls("eval");
    LockSupport.parkNanos(10 * PROBES.toNanos());
    assertThat(calls("eval")).isLessThanOrEqualTo(after + 1);
    server.command("REPLICAOF", "NO", "ONE");
    assertThat(decides(add("api"))).as("a new limiter starts afresh").isTrue();
  }

  @Test
  void aTimeoutOfAnImpatientLimiterIsNoOutageForAPatientOne() {
    RedisRateLimiter impatient = add("api");
    RedisRateLimiter patient =
        add(LettuceRateLimiter.builder(connection, policy("login")), Duration.ofSeconds(10));
    awaitAll();
    notes.forEach(BreakerNotes::clear);
    server.command("CLIENT", "PAUSE", "1000", "ALL");
    assertThat(impatient.tryAcquire("u").failure()).contains(FailureCause.TIMEOUT);
    assertThat(patient.tryAcquire("u").source()).isEqualTo(Source.REDIS);
    assertThat(notes.get(1).told()).isEmpty();
  }

  @Test
  void probesAreAsFrequentAsTheMostImpatientLimiterWants() {
    limiters.add(
        LettuceRateLimiter.builder(connection, policy("slow"))
            .timeout(BUDGET)
            .probeInterval(Duration.ofHours(1))
            .build());
    add("quick");
    awaitAll();
    server.command("REPLICAOF", "127.0.0.1", "1");
    assertThat(limiters.get(0).tryAcquire("u").failure()).contains(FailureCause.READONLY);
    server.command("REPLICAOF", "NO", "ONE");
    awaitAll();
  }

  @Test
  void nothingIsHeldOfALimiterThatNobodyClosed() {
    StatefulRedisConnection<String, String> own = client.connect();
    WeakReference<RedisRateLimiter> limiter =
        new WeakReference<>(LettuceRateLimiter.create(own, policy("api")));
    WeakReference<Object> held = new WeakReference<>(own);
    own.close();
    own = null;
    await(
        () -> {
          System.gc();
          return limiter.get() == null && held.get() == null;
        });
  }
}
