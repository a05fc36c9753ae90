package dev.weir.redis;

import dev.weir.FailureCause;
import dev.weir.testkit.RedisConnection;
import dev.weir.testkit.RedisServer;
import java.util.List;

/** The ways a Redis misbehaves, each made to happen on a real one and healed again. */
enum Fault {
  FROZEN(FailureCause.TIMEOUT) {
    @Override
    void inject(RedisServer redis) {
      redis.pause();
    }

    @Override
    void heal(RedisServer redis) {
      redis.resume();
    }
  },
  PAUSED(FailureCause.TIMEOUT) {
    @Override
    void inject(RedisServer redis) {
      redis.command("CLIENT", "PAUSE", "1000", "ALL");
    }

    @Override
    void heal(RedisServer redis) {
      // The end of a pause cannot be asked for, since that would be paused too; it ends by itself.
    }
  },
  KILLED(FailureCause.CONNECTION, FailureCause.TIMEOUT) {
    @Override
    void inject(RedisServer redis) {
      redis.kill();
    }

    @Override
    void heal(RedisServer redis) {
      redis.restart();
    }
  },
  DEMOTED(FailureCause.READONLY) {
    @Override
    void inject(RedisServer redis) {
      redis.command("REPLICAOF", "127.0.0.1", "1");
    }

    @Override
    void heal(RedisServer redis) {
      redis.command("REPLICAOF", "NO", "ONE");
    }
  },
  WITHOUT_ITS_MASTER(FailureCause.MASTER_DOWN) {
    @Override
    void inject(RedisServer redis) {
      redis.command("CONFIG", "SET", "replica-serve-stale-data", "no");
      redis.command("REPLICAOF", "127.0.0.1", "1");
    }

    @Override
    void heal(RedisServer redis) {
      redis.command("REPLICAOF", "NO", "ONE");
      redis.command("CONFIG", "SET", "replica-serve-stale-data", "yes");
    }
  },
  OUT_OF_MEMORY(FailureCause.OUT_OF_MEMORY) {
    @Override
    void inject(RedisServer redis) {
      redis.command("CONFIG", "SET", "maxmemory", "1");
    }

    @Override
    void heal(RedisServer redis) {
      redis.command("CONFIG", "SET", "maxmemory", "0");
    }
  },
  BUSY(FailureCause.BUSY, FailureCause.TIMEOUT) {
    @Override
    void inject(RedisServer redis) {
      // Both names of the setting are known to 6.2 and 7.0.
      redis.command("CONFIG", "SET", "lua-time-limit", "20");
      Thread endless =
          new Thread(
              () -> {
                try (RedisConnection own = new RedisConnection(redis.host(), redis.port())) {
                  own.command("EVAL", "while true do end", "0");
                } catch (RuntimeException ended) {
                  // killed when the fault is healed
                }
              });
      endless.setDaemon(true);
      endless.start();
      while (true) {
        try {
          redis.command("PING");
        } catch (dev.weir.testkit.RedisReplyException busy) {
          return;
        }
      }
    }

    @Override
    void heal(RedisServer redis) {
      redis.command("SCRIPT", "KILL");
    }
  };

  private final FailureCause first;
  private final FailureCause second;

  Fault(FailureCause cause) {
    this(cause, cause);
  }

  Fault(FailureCause first, FailureCause second) {
    this.first = first;
    this.second = second;
  }

  /** What decisions may give as their failure. */
  List<FailureCause> causes() {
    return List.of(first, second);
  }

  abstract void inject(RedisServer redis);

  abstract void heal(RedisServer redis);
}
