package dev.weir.redis;

import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.testkit.LimiterHarness;
import dev.weir.testkit.ManualClock;
import dev.weir.testkit.RedisConnection;
import dev.weir.testkit.RedisServer;
import dev.weir.testkit.RedisVersion;
import dev.weir.testkit.Seed;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;

/**
 * Limiters on a real Redis whose scripts read a clock that the test moves; everything else in them
 * is what is shipped. One server for each version serves all tests of the JVM.
 */
final class RedisHarness implements LimiterHarness {

  static final String CLOCK = Script.resource("test-clock.lua");

  private static final String TIME = "weir-test-time";
  private static final String DEADLINES = "weir-test-deadlines";
  private static final Map<RedisVersion, RedisServer> SERVERS = new EnumMap<>(RedisVersion.class);
  private static final Map<RedisVersion, RedisClient> CLIENTS = new EnumMap<>(RedisVersion.class);

  private final ManualClock clock = new ManualClock();
  private final boolean expiring;
  private boolean coalescing;
  private final RedisConnection redis;
  private final StatefulRedisConnection<String, String> connection;

  private final Random clientClock = new Random(Seed.get());

  private long told = -1;
  private long expired;

  RedisHarness(RedisVersion version) {
    this(version, false);
  }

  /** A harness whose limiters send calls together. */
  static RedisHarness coalescing(RedisVersion version) {
    RedisHarness harness = new RedisHarness(version, false);
    harness.coalescing = true;
    return harness;
  }

  /**
   * A harness of an empty Redis.
   *
   * @param expiring whether keys go away when the test's clock reaches their deadline
   */
  RedisHarness(RedisVersion version, boolean expiring) {
    this.expiring = expiring;
    RedisServer server = server(version);
    this.redis = new RedisConnection(server.host(), server.port());
    redis.command("FLUSHALL");
    this.connection = client(version, server).connect();
  }

  private static synchronized RedisServer server(RedisVersion version) {
    return SERVERS.computeIfAbsent(version, RedisServer::start);
  }

  private static synchronized RedisClient client(RedisVersion version, RedisServer server) {
    return CLIENTS.computeIfAbsent(version, any -> RedisClient.create(server.uri()));
  }

  @Override
  public RateLimiter limiter(RateLimitPolicy policy) {
    return limiter(policy, (any, operation) -> Script.of(any, operation, CLOCK));
  }

  /** A limiter of that policy whose scripts are others. */
  RateLimiter limiter(RateLimitPolicy policy, Script.Source scripts) {
    RedisRateLimiter limiter =
        LettuceRateLimiter.builder(connection, policy)
            .scripts(scripts)
            .coalescing(coalescing)
            .serverClock(new ServerClock(this::wrongTime))
            .timeout(Duration.ofSeconds(10))
            .build();
    return new ClockedLimiter(limiter, key -> tellTime(policy, key));
  }

  /** What a process takes for the time: right, a bit wrong, or off by up to years. */
  private long wrongTime() {
    synchronized (clientClock) {
      long error =
          switch (clientClock.nextInt(8)) {
            case 0 -> clientClock.nextInt(5) - 2;
            case 1 -> (long) (clientClock.nextGaussian() * 86_400e6);
            case 2 -> (long) (clientClock.nextGaussian() * 1e15);
            default -> 0;
          };
      return clock.now() + error;
    }
  }

  private synchronized void tellTime(RateLimitPolicy policy, String key) {
    long now = clock.now();
    if (now != told) {
      redis.command("SET", TIME, Long.toString(now));
      told = now;
    }
    if (expiring) {
      expire(redisKey(policy, key), now);
    }
  }

  /** Removes a key as soon as Redis might: it compares whole milliseconds. */
  private void expire(String redisKey, long now) {
    Object deadline = redis.command("HGET", DEADLINES, redisKey);
    if (deadline != null && now / 1_000 >= Long.parseLong(deadline.toString()) / 1_000) {
      redis.command("HDEL", DEADLINES, redisKey);
      Object removed = redis.command("DEL", redisKey);
      expired += Long.valueOf(1).equals(removed) ? 1 : 0;
    }
  }

  /** How many keys have gone away at their deadline. */
  synchronized long expired() {
    return expired;
  }

  /** What is stored for each limit of a key, in the order of the policy; empty if nothing is. */
  synchronized List<StoredFields> storedFields(RateLimitPolicy policy, String key) {
    String redisKey = redisKey(policy, key);
    boolean isHash = "hash".equals(redis.command("TYPE", redisKey));
    Object text = isHash ? redis.command("HGET", redisKey, "s") : redis.command("GET", redisKey);
    return text == null ? List.of() : StoredFields.decode(text.toString());
  }

  @Override
  public ManualClock clock() {
    return clock;
  }

  @Override
  public synchronized Object storedState(RateLimitPolicy policy, String key) {
    String redisKey = redisKey(policy, key);
    Object bytes = redis.command("DUMP", redisKey);
    return bytes == null
        ? "nothing"
        : Arrays.asList(bytes, redis.command("HGET", DEADLINES, redisKey));
  }

  @Override
  public boolean hasExpiry() {
    return true;
  }

  @Override
  public synchronized OptionalLong timeToLiveMicros(RateLimitPolicy policy, String key) {
    String redisKey = redisKey(policy, key);
    Object expiry = redis.command("PTTL", redisKey);
    if (Long.valueOf(-2).equals(expiry)) {
      return OptionalLong.empty();
    }
    if (Long.valueOf(-1).equals(expiry)) {
      return OptionalLong.of(Long.MAX_VALUE);
    }
    Object deadline = redis.command("HGET", DEADLINES, redisKey);
    long left = Long.parseLong(String.valueOf(deadline)) - clock.now();
    // A key whose deadline is reached has expired: its state was fresh a millisecond before.
    return left <= 0 ? OptionalLong.empty() : OptionalLong.of(left);
  }

  /** Cuts, changes or removes a chunk of the only log that is stored. */
  synchronized void damageChunk(Random random) {
    for (Object key : list("KEYS", "*{*")) {
      List<?> fields = list("HKEYS", key.toString());
      String chunk = fields.get(random.nextInt(fields.size())).toString();
      if (chunk.equals("s")) {
        chunk = fields.get(fields.size() - 1).toString();
      }
      StringBuilder text = new StringBuilder(redis.command("HGET", key.toString(), chunk) + "");
      switch (random.nextInt(3)) {
        case 0 -> text.setLength(random.nextInt(text.length()));
        case 1 -> text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(256));
        default -> text.setLength(0);
      }
      redis.command("HSET", key.toString(), chunk, text.toString());
    }
  }

  private List<?> list(String... command) {
    return (List<?>) Objects.requireNonNull(redis.command(command));
  }

  /** A lifetime is rounded up to milliseconds, and one more. */
  @Override
  public long expirySlackMicros() {
    return 2_000;
  }

  @Override
  public boolean sharesState() {
    return true;
  }

  static String redisKey(RateLimitPolicy policy, String key) {
    return new String(
        new RedisKeys(RedisRateLimiter.DEFAULT_KEY_PREFIX, policy.name(), false).of(key),
        StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    connection.close();
    redis.close();
  }
}
