package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Source;
import dev.weir.testkit.RedisCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a soak was answered: counts over all calls, and for each key what Redis has admitted and
 * when. Safe for use by several threads.
 */
final class SoakLedger {

  /**
   * How long before a master's death an admission may have been made that its replica never heard
   * of. Replication takes milliseconds; Redis itself notices a replica that lags by its
   * acknowledgement each second.
   */
  static final Duration UNREPLICATED = Duration.ofSeconds(1);

  private final long limit;
  private final long share;
  private final long slowNanos;
  private final long startNanos = System.nanoTime();
  private final Map<String, Account> accounts = new ConcurrentHashMap<>();
  private final List<Kill> kills = new ArrayList<>();
  private final LongAdder asked = new LongAdder();
  private final LongAdder answered = new LongAdder();
  private final List<Lateness.Span> slow = new ArrayList<>();
  private final LongAdder degraded = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final AtomicLong slowestNanos = new AtomicLong();

  /**
   * A ledger of one soak.
   *
   * @param limit what Redis may admit for each key in all
   * @param share what this process may admit for each key in all while Redis does not decide
   * @param budget the time budget of a decision; more than twice of it is counted as slow
   */
  SoakLedger(long limit, long share, Duration budget) {
    this.limit = limit;
    this.share = share;
    this.slowNanos = 2 * budget.toNanos();
  }

  void asked() {
    asked.increment();
  }

  void answered(String key, Decision decision, long startNanos, long endNanos) {
    answered.increment();
    long took = endNanos - startNanos;
    slowestNanos.accumulateAndGet(took, Math::max);
    if (took > slowNanos) {
      addSlow(new Lateness.Span(startNanos, endNanos));
    }
    if (decision.source().isDegraded()) {
      degraded.increment();
    }
    if (decision.allowed()) {
      Account account = accounts.computeIfAbsent(key, any -> new Account());
      account.admit(decision.source(), endNanos);
    }
  }

  private synchronized void addSlow(Lateness.Span call) {
    slow.add(call);
  }

  /** The calls that took more than twice the budget even without what a thread was late then. */
  synchronized long slowBut(Lateness lateness) {
    return slow.stream().filter(call -> call.nanos() - lateness.within(call) > slowNanos).count();
  }

  /** What was slow, and how long after which kill: a sentence for each part of the time. */
  synchronized List<String> slowCalls() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i <= kills.size(); i++) {
      long from = i == 0 ? startNanos : kills.get(i - 1).nanos();
      long until = i < kills.size() ? kills.get(i).nanos() : Long.MAX_VALUE;
      List<Lateness.Span> part =
          slow.stream().filter(call -> call.end() >= from && call.end() < until).toList();
      if (!part.isEmpty()) {
        lines.add((i == 0 ? "start" : "kill " + i) + ": " + described(part, from));
      }
    }
    return lines;
  }

  private static String described(List<Lateness.Span> calls, long from) {
    LongSummaryStatistics begun =
        calls.stream().mapToLong(call -> call.start() - from).summaryStatistics();
    long slowest = calls.stream().mapToLong(Lateness.Span::nanos).max().orElseThrow();
    return "%d slow, at most %d ms, begun %d to %d ms after it"
        .formatted(
            calls.size(),
            slowest / 1_000_000,
            begun.getMin() / 1_000_000,
            begun.getMax() / 1_000_000);
  }

  void failed() {
    failed.increment();
  }

  /** The master of a shard was killed. */
  synchronized void killed(int shard, long nanos) {
    kills.add(new Kill(shard, nanos));
  }

  /** The shard that has a key, which is given as what decides its slot. */
  static int shardOf(String key) {
    int slot = Slots.of(key.getBytes(StandardCharsets.US_ASCII));
    int shard = 0;
    while (slot >= RedisCluster.firstSlot(shard + 1)) {
      shard++;
    }
    return shard;
  }

  private record Kill(int shard, long nanos) {}

  synchronized Result result() {
    long over = 0;
    long bound = 0;
    List<String> broken = new ArrayList<>();
    for (Map.Entry<String, Account> entry : accounts.entrySet()) {
      Account account = entry.getValue();
      long excess = Math.max(0, account.byRedis() - limit);
      int shard = shardOf(entry.getKey());
      long lost = account.lostAtMost(kills.stream().filter(k -> k.shard() == shard).toList());
      over += excess;
      bound += lost;
      if (excess > lost || account.local() > share) {
        broken.add(
            "%s: Redis admitted %d of %d, and %d may be lost; this process %d of %d"
                .formatted(entry.getKey(), account.byRedis(), limit, lost, account.local(), share));
      }
    }
    return new Result(
        asked.sum(),
        answered.sum(),
        slow.size(),
        degraded.sum(),
        failed.sum(),
        kills.size(),
        accounts.size(),
        over,
        bound,
        slowestNanos.get() / 1_000_000,
        broken);
  }

  /**
   * What came of a soak.
   *
   * @param asked calls made
   * @param answered calls that were decided
   * @param slow decisions that took more than twice the budget
   * @param degraded decisions that Redis did not make
   * @param failed calls that ended in an exception
   * @param kills masters that were killed
   * @param keys keys that something was admitted for
   * @param over what Redis admitted above the limits, over all keys
   * @param bound what may have been lost with the killed masters, over all keys
   * @param slowestMillis the slowest decision
   * @param broken keys whose over-admission is above what may have been lost
   */
  record Result(
      long asked,
      long answered,
      long slow,
      long degraded,
      long failed,
      long kills,
      long keys,
      long over,
      long bound,
      long slowestMillis,
      List<String> broken) {

    long lost() {
      return asked - answered - failed;
    }
  }

  /** What was admitted for one key. */
  private static final class Account {
    private final List<Long> admittedByRedis = new ArrayList<>();
    private long local;

    synchronized void admit(Source source, long nanos) {
      if (source == Source.REDIS) {
        admittedByRedis.add(nanos);
      } else {
        local++;
      }
    }

    synchronized long byRedis() {
      return admittedByRedis.size();
    }

    synchronized long local() {
      return local;
    }

    /** The admissions shortly before a kill; those under way are answered a little after it. */
    synchronized long lostAtMost(List<Kill> kills) {
      return admittedByRedis.stream()
          .filter(at -> kills.stream().anyMatch(kill -> isNear(at, kill.nanos())))
          .count();
    }

    private static boolean isNear(long at, long kill) {
      return at - kill >= -UNREPLICATED.toNanos() && at - kill <= UNREPLICATED.toNanos();
    }
  }
}
