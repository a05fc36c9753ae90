package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiterException;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptivePolicy.Mode;
import dev.weir.adaptive.AddressRanges;
import dev.weir.adaptive.AddressRule;
import dev.weir.adaptive.BotCheck;
import dev.weir.adaptive.CallReader;
import dev.weir.adaptive.Cidr;
import dev.weir.adaptive.ManualOverride;
import dev.weir.adaptive.Origin;
import dev.weir.adaptive.OverrideStore;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.Tier;
import dev.weir.adaptive.Treatment;
import dev.weir.local.PrecedenceRateLimiter;
import dev.weir.testkit.Await;
import dev.weir.testkit.OverrideStoreContract;
import dev.weir.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.UnifiedJedis;

/** The store of overrides on a real Redis and its own clock, seen from several nodes. */
class RedisOverrideStoreTest extends OverrideStoreContract {

  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.of("api", FixedWindow.of(1_000, Duration.ofHours(1)));
  private static final Duration A_SECOND = Duration.ofSeconds(1);

  private static RedisServer server;
  private static RedisClient client;

  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeAll
  static void start() {
    server = RedisServer.start();
    client = RedisClient.create(server.uri());
  }

  @AfterAll
  static void stop() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    server.close();
  }

  @AfterEach
  void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    server.command("FLUSHALL");
  }

  private <T extends AutoCloseable> T opened(T closeable) {
    open.add(closeable);
    return closeable;
  }

  private RedisRateLimiter limiter() {
    return opened(
        LettuceRateLimiter.builder(client, POLICY).timeout(Duration.ofSeconds(10)).build());
  }

  private RedisOverrideStore node() {
    return opened(RedisOverrideStore.of(limiter()));
  }

  private RedisOverrideStore jedisNode() {
    UnifiedJedis jedis = opened(new UnifiedJedis("redis://127.0.0.1:" + server.port()));
    return opened(RedisOverrideStore.of(opened(JedisRateLimiter.create(jedis, POLICY))));
  }

  @Override
  protected OverrideStore store(AddressRanges fixed) {
    return opened(RedisOverrideStore.of(limiter(), fixed));
  }

  @Override
  protected void pass(Duration time) {
    long until = System.nanoTime() + time.toNanos();
    Duration unused =
        Await.until("Redis' clock", time.plusSeconds(10), () -> System.nanoTime() - until >= 0);
  }

  private static boolean isRefused(OverrideStore store, String subject) {
    return store.treatment(subject, Origin.UNKNOWN, false).kind() == Treatment.Kind.REFUSED;
  }

  private static void seenWithinASecond(String what, java.util.function.BooleanSupplier seen) {
    Duration took = Await.until(what, Duration.ofSeconds(10), seen);
    System.out.printf("override %s: seen by the other node after %d ms%n", what, took.toMillis());
    assertThat(took).as(what).isLessThan(A_SECOND);
  }

  @Test
  void allNodesActWithinASecond() {
    RedisOverrideStore here = node();
    RedisOverrideStore there = node();
    RedisOverrideStore jedis = jedisNode();
    here.setAsync(ManualOverride.block("u", "ann", "abuse")).join();
    assertThat(isRefused(here, "u")).as("at once where it was made").isTrue();
    seenWithinASecond("block", () -> isRefused(there, "u") && isRefused(jedis, "u"));
    jedis.liftAsync("subject:u", "ben", "sorry").join();
    assertThat(isRefused(jedis, "u")).isFalse();
    seenWithinASecond("lift", () -> !isRefused(there, "u") && !isRefused(here, "u"));
    jedis.setAsync(AddressRule.deny(Cidr.parse("10.0.0.0/8"), "ben", "scans")).join();
    seenWithinASecond(
        "range",
        () -> there.treatment("u", Origin.of("10.1.2.3"), false).kind() == Treatment.Kind.REFUSED);
    assertThat(here.changesAsync().join()).hasSize(3).isEqualTo(jedis.changesAsync().join());
  }

  @Test
  void rulingsKnownLastHoldWhileRedisIsAway() {
    RedisOverrideStore store = node();
    store.setAsync(ManualOverride.block("u", "ann", "abuse")).join();
    server.command("SAVE");
    server.kill();
    Await.until("the problem", Duration.ofSeconds(10), () -> store.problem().isPresent());
    assertThat(store.problem().orElseThrow()).contains("overrides are those of");
    assertThat(isRefused(store, "u")).isTrue();
    assertThatThrownBy(() -> store.setAsync(ManualOverride.block("v", "a", "b")).join())
        .hasCauseInstanceOf(RateLimiterException.class)
        .hasMessageContaining("audit trail");
    server.restartSaved();
    Await.until("reading again", Duration.ofSeconds(10), () -> store.problem().isEmpty());
    assertThat(isRefused(store, "u")).isTrue();
    server.command("FLUSHALL");
    Await.until("what was flushed", Duration.ofSeconds(10), () -> !isRefused(store, "u"));
    // As many changes as before, so that a version that only counts would be the same again.
    store.setAsync(ManualOverride.block("w", "ann", "abuse")).join();
    assertThat(isRefused(store, "w")).isTrue();
  }

  @Test
  void damageOpensNothingAndStopsNothing() {
    RedisOverrideStore store = node();
    store.setAsync(ManualOverride.block("u", "ann", "abuse")).join();
    int bad = 0;
    for (String field : List.of("subject:a", "range:b", "range:10.0.0.0%2F8", "nonsense", "")) {
      for (String value :
          List.of("", "x", "1 - block normal a", "1 2 pin huge a b", "9 - ? ? a b")) {
        server.command("HSET", "weir:{overrides}", field + "#" + bad++, value);
      }
    }
    server.command("LPUSH", "weir:{overrides}:changes", "x", "1 set y", "");
    store.setAsync(ManualOverride.block("v", "ann", "abuse")).join();
    assertThat(isRefused(store, "u") && isRefused(store, "v")).isTrue();
    assertThat(store.problem()).contains(bad + " overrides in Redis are damaged and left out");
    assertThat(store.changesAsync().join()).hasSize(2);
    server.command("DEL", "weir:{overrides}");
    server.command("SET", "weir:{overrides}", "of somebody else");
    Await.until("the problem", Duration.ofSeconds(10), () -> store.problem().isPresent());
    assertThat(isRefused(store, "u")).as("known last").isTrue();
    assertThatThrownBy(() -> store.setAsync(ManualOverride.block("w", "a", "b")).join())
        .hasMessageContaining("weir:{overrides} of the overrides is a string; delete or rename");
  }

  @Test
  void aNodeThatStartsWithoutRedisStartsAllTheSame() {
    try (RedisServer other = RedisServer.start();
        RedisRateLimiter limiter =
            LettuceRateLimiter.create(RedisClient.create(other.uri()), POLICY)) {
      other.kill();
      try (RedisOverrideStore store = RedisOverrideStore.of(limiter)) {
        assertThat(store.problem().orElseThrow()).contains("none could be read yet");
        assertThat(store.treatment("u", Origin.of("127.0.0.1"), false).kind())
            .isEqualTo(Treatment.Kind.LIMITED);
        other.restart();
        Await.until("reading", Duration.ofSeconds(10), () -> store.problem().isEmpty());
      }
    }
  }

  @Test
  void precedenceStandsBeforeTheLimiter() {
    AdaptivePolicy enforce = AdaptivePolicy.builder().mode(Mode.ENFORCE).build();
    RedisOverrideStore overrides = node();
    PrecedenceRateLimiter limiter =
        PrecedenceRateLimiter.of(
            RedisAdaptiveRateLimiter.of(limiter(), enforce), overrides, BotCheck.NONE);
    CallReader reader = new CallReader(enforce);
    CallReader.Read read = reader.read("GET", "/a", null, false, "agent", null, null, 1);
    SubjectCall call = SubjectCall.of("u", read.call());
    Origin origin = Origin.of("8.8.8.8");
    assertThat(limiter.decide(call, origin).allowed()).isTrue();
    overrides.setAsync(ManualOverride.block("u", "ann", "abuse")).join();
    assertThat(limiter.decide(call, origin).allowed()).isFalse();
    limiter.unblockAsync("u", "ben", "sorry").join();
    assertThat(limiter.decide(call, origin).allowed()).isTrue();
    // A block by behaviour ends with it, too.
    assertThat(
            limiter
                .decide(
                    call.after(
                        IntStream.range(0, 13)
                            .mapToObj(
                                i ->
                                    reader
                                        .read(
                                            "GET", "/n" + i + "x", null, false, "a", null, null, 1)
                                        .outcome(404, false))
                            .toList()),
                    origin)
                .tier())
        .isEqualTo(Tier.BLOCKED);
    limiter.unblockAsync("u", "ben", "a mistake").join();
    assertThat(limiter.decide(call, origin).tier()).isEqualTo(Tier.NORMAL);
    overrides.setAsync(ManualOverride.allow("u", "ann", "partner")).join();
    limiter.unblockAsync("u", "ben", "nothing to lift").join();
    assertThat(overrides.rulings()).as("an allowance is not lifted").hasSize(1);
  }
}
