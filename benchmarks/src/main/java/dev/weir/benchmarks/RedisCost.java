package dev.weir.benchmarks;

import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.SlidingWindowCounter;
import dev.weir.SlidingWindowLog;
import dev.weir.TokenBucket;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.CallReader;
import dev.weir.adaptive.SubjectCall;
import dev.weir.redis.LettuceRateLimiter;
import dev.weir.redis.RedisAdaptiveRateLimiter;
import dev.weir.redis.RedisRateLimiter;
import dev.weir.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a decision costs Redis itself: processor time and memory. */
final class RedisCost {

  private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user)_main_thread:([0-9.]+)");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int PIPELINED = 500;

  private final Settings settings;
  private final Report report;

  RedisCost(Settings settings, Report report) {
    this.settings = settings;
    this.report = report;
  }

  void run() {
    try (RedisServer server = RedisServer.start()) {
      RedisClient client = RedisClient.create(server.uri());
      try {
        cpu(server, client);
        memory(server, client);
      } finally {
        client.shutdown();
      }
    }
  }

  private static RedisRateLimiter limiter(RedisClient client, RateLimitPolicy policy) {
    return LettuceRateLimiter.builder(client, policy).timeout(Duration.ofSeconds(10)).build();
  }

  private void cpu(RedisServer server, RedisClient client) {
    report.heading(
        "Redis' processor time per decision, 500 calls under way (us: min / median / max)");
    AdaptivePolicy enforce = AdaptivePolicy.builder().mode(AdaptivePolicy.Mode.ENFORCE).build();
    CallReader reader = new CallReader(enforce);
    var read = reader.read("GET", "/a", null, false, "agent", null, null, 1);
    try (RedisRateLimiter allowed = limiter(client, Contestants.policy("cpu"));
        RedisRateLimiter refused =
            limiter(client, RateLimitPolicy.of("refused", FixedWindow.of(1, Duration.ofDays(1))));
        RedisRateLimiter base = limiter(client, Contestants.policy("adaptive"))) {
      RedisAdaptiveRateLimiter adaptive = RedisAdaptiveRateLimiter.of(base, enforce);
      Measured cost = cost(server, key -> allowed.tryAcquireAsync(Keys.of(key)));
      report.figure("redis cpu", "allowed", "us", 2, cost);
      report.goal(Goal.atMost("redis-cpu-allowed", cost, 5, "us"));
      Measured refusal = cost(server, key -> refused.tryAcquireAsync(Keys.of(key)));
      report.figure("redis cpu", "refused", "us", 2, refusal);
      report.goal(Goal.atMost("redis-cpu-refused", refusal, 2.5, "us"));
      Measured judged =
          cost(server, key -> adaptive.decideAsync(SubjectCall.of(Keys.of(key), read.call())));
      report.figure("redis cpu", "adaptive", "us", 2, judged);
      report.goal(Goal.atMost("redis-cpu-adaptive", judged, 20, "us"));
    }
  }

  private Measured cost(RedisServer server, IntFunction<CompletableFuture<?>> call) {
    var unused = once(server, call, settings.warmMillis());
    double[] rounds = new double[settings.rounds()];
    for (int i = 0; i < rounds.length; i++) {
      rounds[i] = once(server, call, settings.turnMillis());
    }
    return new Measured(rounds);
  }

  private static double once(
      RedisServer server, IntFunction<CompletableFuture<?>> call, long millis) {
    long until = System.nanoTime() + millis * 1_000_000;
    double before = cpuMicros(server);
    long calls = 0;
    while (System.nanoTime() < until) {
      CompletableFuture<?>[] under = new CompletableFuture<?>[PIPELINED];
      for (int i = 0; i < PIPELINED; i++) {
        under[i] = call.apply((int) (calls++ % Keys.MANY));
      }
      CompletableFuture.allOf(under).join();
    }
    return (cpuMicros(server) - before) / calls;
  }

  private static double cpuMicros(RedisServer server) {
    Matcher matcher = CPU.matcher(String.valueOf(server.command("INFO", "cpu")));
    double seconds = 0;
    while (matcher.find()) {
      seconds += Double.parseDouble(matcher.group(1));
    }
    return seconds * 1e6;
  }

  private void memory(RedisServer server, RedisClient client) {
    report.heading("Memory of a key of 20 characters (MEMORY USAGE, bytes)");
    Map<String, Limit> limits = new LinkedHashMap<>();
    limits.put("token-bucket", TokenBucket.smooth(100, 100, MINUTE));
    limits.put("fixed-window", FixedWindow.of(100, MINUTE));
    limits.put("counter", SlidingWindowCounter.of(100, MINUTE));
    limits.put("leaky-bucket", LeakyBucket.policing(100, 100, MINUTE));
    double most = 0;
    for (Map.Entry<String, Limit> entry : limits.entrySet()) {
      double bytes = weirBytes(server, client, entry.getKey(), entry.getValue(), 3);
      report.figure("memory", entry.getKey(), "B", 0, new Measured(bytes));
      most = Math.max(most, bytes);
    }
    report.goal(Goal.atMost("memory-per-key", new Measured(most), 120, "B"));
    int entries = 10_000;
    double log =
        weirBytes(server, client, "log", SlidingWindowLog.of(entries, Duration.ofHours(1)), entries)
            / entries;
    report.figure("memory", "log entry", "B", 1, new Measured(log));
    report.goal(Goal.atMost("memory-per-log-entry", new Measured(log), 16, "B"));
    peers(server);
  }

  private static double weirBytes(
      RedisServer server, RedisClient client, String name, Limit limit, int calls) {
    try (RedisRateLimiter limiter = limiter(client, RateLimitPolicy.of(name, limit))) {
      for (int i = 0; i < calls; i++) {
        var unused = limiter.tryAcquire(Keys.of(0));
      }
    }
    return bytes(server, "weir:{" + name + ":" + Keys.of(0) + "}");
  }

  private void peers(RedisServer server) {
    try (Contestant guide = Contestants.guide(server);
        Contestant bucket4j = Contestants.bucket4j(server);
        Contestant gateway = Contestants.gateway(server)) {
      guide.decide(0);
      bucket4j.decide(0);
      gateway.decide(0);
    }
    String tag = "gateway:{" + Keys.of(0) + "}";
    report.figure("memory", "guide", "B", 0, new Measured(bytes(server, "guide:" + Keys.of(0))));
    report.figure(
        "memory", "bucket4j", "B", 0, new Measured(bytes(server, "bucket4j:" + Keys.of(0))));
    report.figure(
        "memory",
        "gateway",
        "B",
        0,
        new Measured(bytes(server, tag + ".tokens") + bytes(server, tag + ".timestamp")));
  }

  private static double bytes(RedisServer server, String key) {
    return (Long) Objects.requireNonNull(server.command("MEMORY", "USAGE", key), key);
  }
}
