package dev.weir.bots;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.weir.adaptive.BotCheck;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Verifies bots by their address: by a range that the operator publishes, or by the name that the
 * address has, if that name has the address in turn and is in the operator's domain. What a client
 * calls itself only says which bot to compare it with.
 *
 * <p>Never waits: a name is looked up in the background, by two threads at most, and a client is
 * nobody until it is known. Names are kept for an hour, and that there is none for ten minutes, for
 * the 10,000 addresses asked for last. When more than 256 addresses wait to be looked up, others
 * are asked for again with their next call. Safe for use by any number of threads.
 */
public final class VerifiedBots implements BotCheck {

  private static final int MOST_NAMES = 10_000;
  private static final int MOST_WAITING = 256;
  private static final Duration KNOWN = Duration.ofHours(1);
  private static final Duration UNKNOWN = Duration.ofMinutes(10);

  private final List<KnownBot> bots;
  private final HostNames hostNames;
  private final Executor executor;
  private final Cache<String, Optional<String>> names;
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  private VerifiedBots(List<KnownBot> bots, HostNames hostNames, Executor executor, Ticker ticker) {
    this.bots = List.copyOf(bots);
    this.hostNames = hostNames;
    this.executor = executor;
    this.names =
        Caffeine.newBuilder()
            .maximumSize(MOST_NAMES)
            .executor(Runnable::run)
            .ticker(ticker)
            .expireAfter(
                Expiry.<String, Optional<String>>creating(
                    (address, name) -> name.isPresent() ? KNOWN : UNKNOWN))
            .build();
  }

  /** Verifies bots by the name service of this machine. */
  public static VerifiedBots of(List<KnownBot> bots) {
    return new VerifiedBots(bots, HostNames.ofThisMachine(), executor(), Ticker.systemTicker());
  }

  /**
   * Verifies bots.
   *
   * @param hostNames tells the names
   * @param executor looks them up; may refuse to
   * @param nanos tells the time in nanoseconds, as {@link System#nanoTime} does
   */
  static VerifiedBots of(
      List<KnownBot> bots, HostNames hostNames, Executor executor, Ticker nanos) {
    return new VerifiedBots(bots, hostNames, executor, nanos);
  }

  private static Executor executor() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            2,
            2,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            work -> {
              Thread thread = new Thread(work, "weir-bots");
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  @Override
  public boolean isVerified(@Nullable String address, @Nullable String agent) {
    if (address == null || agent == null) {
      return false;
    }
    String lower = agent.toLowerCase(Locale.ROOT);
    for (KnownBot bot : bots) {
      if (bot.isClaimedBy(lower)
          && (bot.hasAddress(address)
              || (bot.hasDomains() && name(address).filter(bot::hasName).isPresent()))) {
        return true;
      }
    }
    return false;
  }

  private Optional<String> name(String address) {
    Optional<String> known = names.getIfPresent(address);
    if (known == null && asked.add(address)) {
      try {
        executor.execute(() -> lookUp(address));
      } catch (RejectedExecutionException full) {
        asked.remove(address);
      }
    }
    return known == null ? Optional.empty() : known;
  }

  private void lookUp(String address) {
    try {
      names.put(address, hostNames.confirmed(address));
    } catch (RuntimeException e) {
      names.put(address, Optional.empty());
    } finally {
      asked.remove(address);
    }
  }
}
