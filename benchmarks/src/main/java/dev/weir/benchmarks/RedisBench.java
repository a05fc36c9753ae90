package dev.weir.benchmarks;

import dev.weir.testkit.RedisServer;
import java.util.List;

/** Decisions on one Redis: many threads on many keys and on one, and one thread. */
final class RedisBench {

  private static final int THREADS = 64;

  private final Settings settings;
  private final Report report;

  RedisBench(Settings settings, Report report) {
    this.settings = settings;
    this.report = report;
  }

  void run() {
    try (RedisServer server = RedisServer.start();
        Contestant weir = Contestants.weir(server);
        Contestant ping = Contestants.ping(server);
        Contestant guide = Contestants.guide(server);
        Contestant gateway = Contestants.gateway(server);
        Contestant bucket4j = Contestants.bucket4j(server)) {
      List<Contestant> all = List.of(weir, guide, gateway, bucket4j, ping);
      many(Turns.run(all, THREADS, Keys.MANY, settings), server);
      hot(Turns.run(List.of(weir, guide, bucket4j), THREADS, 1, settings));
      alone(Turns.run(List.of(weir, guide, ping), 1, Keys.MANY, settings));
    }
  }

  private void many(Turns turns, RedisServer server) {
    String what = "64 threads, 1,000 keys";
    turns.report(report, what);
    Measured redisson = RedissonProcess.measure(server, THREADS, Keys.MANY, settings);
    report.figure(what, "redisson", "decisions/s", 0, redisson);
    double weir = turns.measured("weir", Load.Result::perSecond).median();
    report.goal(
        Goal.atLeast(
            "many-keys-vs-guide", turns.ratio("weir", "guide", Load.Result::perSecond), 5, "x"));
    report.goal(
        Goal.atLeast(
            "many-keys-vs-bucket4j",
            turns.ratio("weir", "bucket4j", Load.Result::perSecond),
            10,
            "x"));
    report.goal(
        Goal.atLeast("many-keys-vs-redisson", new Measured(weir / redisson.median()), 8, "x"));
    report.goal(
        Goal.atMost(
            "many-keys-p99-vs-best-peer",
            turns.ratio("weir", "guide", it -> it.percentileMicros(99)),
            0.25,
            "x"));
    manyPerSecond = weir;
  }

  private double manyPerSecond;

  private void hot(Turns turns) {
    turns.report(report, "64 threads, one hot key");
    report.goal(
        Goal.atLeast(
            "hot-key-vs-bucket4j",
            turns.ratio("weir", "bucket4j", Load.Result::perSecond),
            150,
            "x"));
    double hot = turns.measured("weir", Load.Result::perSecond).median();
    report.goal(Goal.atLeast("hot-key-vs-many-keys", new Measured(hot / manyPerSecond), 1, "x"));
  }

  private void alone(Turns turns) {
    turns.report(report, "1 thread, 1,000 keys");
    report.goal(
        Goal.atMost(
            "one-thread-p50-vs-ping",
            turns.ratio("weir", "PING", it -> it.percentileMicros(50)),
            1.2,
            "x"));
  }
}
