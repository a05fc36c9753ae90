package dev.weir.redis;

import dev.weir.FailureCause;
import dev.weir.testkit.RedisConnection;
import dev.weir.testkit.RedisReplyException;
import dev.weir.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The ways a Redis misbehaves, each made to happen on a real one and healed again. */
// What is done to a Redis has no state of its own.
@SuppressWarnings("ImmutableEnumChecker")
enum Fault {
  REFUSED(
      FaultBench.Setup.PROXY,
      bench -> bench.proxy().refuse(),
      bench -> bench.proxy().heal(),
      FailureCause.CONNECTION,
      FailureCause.TIMEOUT),
  FROZEN(
      FaultBench.Setup.PLAIN,
      bench -> bench.redis().pause(),
      bench -> bench.redis().resume(),
      FailureCause.TIMEOUT),
  // The end of a pause cannot be asked for, since that would be paused too; it ends by itself.
  PAUSED(
      FaultBench.Setup.PLAIN,
      bench -> bench.command("CLIENT", "PAUSE", "1000", "ALL"),
      bench -> {},
      FailureCause.TIMEOUT),
  KILLED(
      FaultBench.Setup.PLAIN,
      bench -> bench.redis().kill(),
      bench -> bench.redis().restart(),
      FailureCause.CONNECTION,
      FailureCause.TIMEOUT),
  RESTARTED(
      FaultBench.Setup.PLAIN,
      bench -> bench.redis().restart(),
      bench -> {},
      FailureCause.CONNECTION,
      FailureCause.TIMEOUT),
  SCRIPTS_FLUSHED(FaultBench.Setup.PLAIN, bench -> bench.command("SCRIPT", "FLUSH"), bench -> {}),
  READONLY(
      FaultBench.Setup.PLAIN,
      bench -> bench.command("REPLICAOF", "127.0.0.1", "1"),
      bench -> bench.command("REPLICAOF", "NO", "ONE"),
      FailureCause.READONLY),
  LOADING(
      FaultBench.Setup.PLAIN,
      Fault::load,
      Fault::loadQuickly,
      FailureCause.LOADING,
      FailureCause.CONNECTION,
      FailureCause.TIMEOUT),
  BUSY(
      FaultBench.Setup.PLAIN,
      Fault::runForEver,
      bench -> bench.command("SCRIPT", "KILL"),
      FailureCause.BUSY,
      FailureCause.TIMEOUT),
  OUT_OF_MEMORY(
      FaultBench.Setup.PLAIN,
      bench -> bench.command("CONFIG", "SET", "maxmemory", "1"),
      bench -> bench.command("CONFIG", "SET", "maxmemory", "0"),
      FailureCause.OUT_OF_MEMORY),
  CLUSTER_DOWN(
      FaultBench.Setup.CLUSTER,
      bench -> bench.eachSlot("DELSLOTS"),
      bench -> bench.eachSlot("ADDSLOTS"),
      FailureCause.CLUSTER_DOWN),
  MASTER_DOWN(
      FaultBench.Setup.PLAIN,
      bench -> {
        bench.command("CONFIG", "SET", "replica-serve-stale-data", "no");
        bench.command("REPLICAOF", "127.0.0.1", "1");
      },
      bench -> {
        bench.command("REPLICAOF", "NO", "ONE");
        bench.command("CONFIG", "SET", "replica-serve-stale-data", "yes");
      },
      FailureCause.MASTER_DOWN,
      FailureCause.READONLY),
  NO_AUTHENTICATION(
      FaultBench.Setup.PLAIN,
      FaultBench::forgetThePassword,
      bench -> bench.command("CONFIG", "SET", "requirepass", ""),
      FailureCause.NO_AUTHENTICATION),
  NO_PERMISSION(
      FaultBench.Setup.PLAIN,
      bench -> bench.command("ACL", "SETUSER", "default", "-evalsha", "-unlink"),
      bench -> bench.command("ACL", "SETUSER", "default", "+evalsha", "+unlink"),
      FailureCause.NO_PERMISSION),
  FOREIGN_KEY(FaultBench.Setup.PLAIN, FaultBench::makeKeysForeign, bench -> {}),
  SLOW_NETWORK(
      FaultBench.Setup.PROXY,
      bench -> bench.proxy().delay(Duration.ofMillis(400)),
      bench -> bench.proxy().heal(),
      FailureCause.TIMEOUT),
  CUT_IN_THE_MIDDLE(
      FaultBench.Setup.PROXY,
      bench -> bench.proxy().cutAfter(2),
      bench -> bench.proxy().heal(),
      FailureCause.CONNECTION,
      FailureCause.TIMEOUT),
  // The clock of a server cannot be set back for a test, so the script reads one that can.
  CLOCK_SET_BACK(
      FaultBench.Setup.CLOCK, bench -> bench.setClock(0), bench -> bench.setClock(3_600));

  /** How calls are answered while a fault lasts. */
  enum Answer {
    /** By the failure mode. */
    DEGRADED,
    /** By an exception, whatever the failure mode is. */
    THROWN,
    /** By Redis, as if nothing were. */
    DECIDED,
    /** By the failure mode at first, and by Redis as soon as it can. */
    EITHER
  }

  private final FaultBench.Setup setup;
  private final Consumer<FaultBench> inject;
  private final Consumer<FaultBench> heal;
  private final List<FailureCause> causes;

  Fault(
      FaultBench.Setup setup,
      Consumer<FaultBench> inject,
      Consumer<FaultBench> heal,
      FailureCause... causes) {
    this.setup = setup;
    this.inject = inject;
    this.heal = heal;
    this.causes = List.of(causes);
  }

  FaultBench.Setup setup() {
    return setup;
  }

  /** What decisions may give as their failure. */
  List<FailureCause> causes() {
    return causes;
  }

  /** How a call is answered; what Redis can still do, looks and resets, it does. */
  Answer answer(FaultCall call) {
    boolean takesNoMemory = call == FaultCall.PEEK || call == FaultCall.RESET;
    if ((this == READONLY && call == FaultCall.PEEK) || (this == OUT_OF_MEMORY && takesNoMemory)) {
      return Answer.DECIDED;
    }
    if (this == RESTARTED) {
      return Answer.EITHER;
    }
    return causes.isEmpty()
        ? Answer.DECIDED
        : causes.get(0).isTransient() ? Answer.DEGRADED : Answer.THROWN;
  }

  /** Whether what was charged before is gone when the fault is healed. */
  boolean losesState() {
    return this == KILLED || this == RESTARTED || this == FOREIGN_KEY;
  }

  void inject(FaultBench bench) {
    inject.accept(bench);
  }

  void heal(FaultBench bench) {
    heal.accept(bench);
  }

  /** Starts the server again with so much saved that it is busy reading it. */
  private static void load(FaultBench bench) {
    RedisServer redis = bench.redis();
    redis.command("EVAL", "for i = 1, 20000 do redis.call('SET', 'fill:' .. i, i) end", "0");
    redis.command("SAVE");
    redis.restartSaved(
        "--key-load-delay", "500", "--loading-process-events-interval-bytes", "1024");
    bench.awaitError("LOADING");
  }

  private static void loadQuickly(FaultBench bench) {
    bench.command("CONFIG", "SET", "key-load-delay", "0");
  }

  private static void runForEver(FaultBench bench) {
    RedisServer redis = bench.redis();
    // Both names of the setting are known to 6.2 and 7.0.
    redis.command("CONFIG", "SET", "lua-time-limit", "20");
    Thread endless =
        new Thread(
            () -> {
              try (RedisConnection own = new RedisConnection(redis.host(), redis.port())) {
                own.command("EVAL", "while true do end", "0");
              } catch (RedisReplyException ended) {
                // killed when the fault is healed
              }
            });
    endless.setDaemon(true);
    endless.start();
    bench.awaitError("BUSY");
  }
}
