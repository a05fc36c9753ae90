package dev.weir.redis;

import dev.weir.RateLimiterException;
import dev.weir.TimeSource;
import dev.weir.adaptive.AddressRanges;
import dev.weir.adaptive.Origin;
import dev.weir.adaptive.OverrideStore;
import dev.weir.adaptive.Ruling;
import dev.weir.adaptive.RulingChange;
import dev.weir.adaptive.RulingSet;
import dev.weir.adaptive.Treatment;
import dev.weir.local.HeldRulings;
import dev.weir.local.LocalOverrideStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps rulings in Redis, for all processes that use the same Redis and key prefix, whatever their
 * policies. A change acts in the process that made it when its future completes, and in all others
 * within {@link #POLL_INTERVAL} and a round trip: each asks for the version, and for the rulings
 * when that is another one. Times are those of Redis' clock.
 *
 * <p>While Redis does not answer the rulings known last hold, and {@link #problem} says so; changes
 * fail. A ruling that is damaged is left out and counted. The two keys, {@code prefix:{overrides}}
 * and {@code prefix:{overrides}:changes}, never expire.
 */
public final class RedisOverrideStore implements OverrideStore {

  /** How often a process asks whether something was changed: every 400 ms. */
  public static final Duration POLL_INTERVAL = Duration.ofMillis(400);

  private static final System.Logger LOG = System.getLogger(RedisOverrideStore.class.getName());
  private static final Duration BUDGET = Duration.ofSeconds(2);
  private static final String UNKNOWN_VERSION = "";
  private static final int LIFT_HEAD = 2;

  private final RedisScripts redis;
  private final List<byte[]> keys;
  private final AddressRanges fixed;
  private final String script = Script.resource("lua/overrides.lua");
  private final TimeSource clock = TimeSource.monotonic();
  private final ScheduledExecutorService poller =
      Executors.newSingleThreadScheduledExecutor(RedisOverrideStore::thread);
  private final HeldRulings held;

  /** A reading that has not begun yet. */
  private final AtomicReference<@Nullable CompletableFuture<Void>> next = new AtomicReference<>();

  /** What Redis' clock is ahead of the one here. */
  private volatile long aheadMicros;

  private volatile long readNanos;
  private volatile int damaged;
  private volatile Optional<String> failure = Optional.empty();

  /** Touched by the poller only. */
  private String version = UNKNOWN_VERSION;

  private RedisOverrideStore(RedisRateLimiter limiter, AddressRanges fixed) {
    this.redis = limiter.redis();
    this.keys = limiter.keys().overrides();
    this.fixed = Objects.requireNonNull(fixed, "fixed");
    this.held = new HeldRulings(RulingSet.of(List.of(), fixed));
    poll().join();
    long millis = POLL_INTERVAL.toMillis();
    Object unused =
        poller.scheduleWithFixedDelay(this::read, millis, millis, TimeUnit.MILLISECONDS);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "weir-overrides");
    thread.setDaemon(true);
    return thread;
  }

  /** The store of a limiter's Redis and key prefix, with loopback allowed. */
  public static RedisOverrideStore of(RedisRateLimiter limiter) {
    return of(limiter, AddressRanges.standard());
  }

  /**
   * The store of a limiter's Redis and key prefix. Reads what is kept, and waits for it, for two
   * seconds at most: if Redis does not answer it starts without rulings, logs it, and goes on
   * asking.
   *
   * @param limiter whose connection is used; it must stay open for as long as the store
   * @param fixed the ranges that configuration says
   */
  public static RedisOverrideStore of(RedisRateLimiter limiter, AddressRanges fixed) {
    return new RedisOverrideStore(limiter, fixed);
  }

  @Override
  public CompletableFuture<Ruling> setAsync(Ruling ruling) {
    String lasts =
        ruling.untilMicros().map(until -> Long.toString(until - ruling.sinceMicros())).orElse("");
    return run(
            "set",
            RulingText.target(ruling.target()),
            RulingText.ruling(ruling),
            lasts,
            RulingText.word(ruling.author()),
            RulingText.word(ruling.reason()),
            Integer.toString(MOST_RULINGS),
            Integer.toString(MOST_CHANGES))
        .thenCompose(
            reply -> {
              if (reply.get(0) == 0) {
                return CompletableFuture.failedFuture(LocalOverrideStore.full());
              }
              Optional<Long> ends = Optional.of(reply.get(2)).filter(until -> until >= 0);
              return poll().thenApply(done -> ruling.during(reply.get(1), ends));
            });
  }

  @Override
  public CompletableFuture<Optional<Ruling>> liftAsync(
      String target, String author, String reason) {
    return change("lift", target, author, reason)
        .thenCompose(
            reply ->
                reply.get(0) == 0
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : poll()
                        .thenApply(
                            done -> RulingText.ruling(RulingText.target(target), text(reply))));
  }

  private static String text(List<Long> reply) {
    int length = Math.toIntExact(reply.get(1));
    ByteBuffer bytes = ByteBuffer.allocate(length + Long.BYTES);
    for (long number : reply.subList(LIFT_HEAD, reply.size())) {
      bytes.putShort((short) (number >> 32)).putInt((int) number);
    }
    return new String(Arrays.copyOf(bytes.array(), length), StandardCharsets.UTF_8);
  }

  @Override
  public CompletableFuture<Void> noteForgottenAsync(String subject, String author, String reason) {
    return change("note", Ruling.subjectTarget(subject), author, reason).thenApply(reply -> null);
  }

  private CompletableFuture<List<Long>> change(
      String operation, String target, String author, String reason) {
    Ruling.checkText("author", author);
    Ruling.checkText("reason", reason);
    return run(
        operation,
        RulingText.target(target),
        RulingText.word(author),
        RulingText.word(reason),
        Integer.toString(MOST_CHANGES));
  }

  @Override
  public CompletableFuture<List<RulingChange>> changesAsync() {
    return told(inTime(redis.text(script, keys, arguments("changes"))))
        .thenApply(
            text ->
                new String(text, StandardCharsets.UTF_8)
                    .lines()
                    .flatMap(line -> RulingText.change(line).stream())
                    .toList());
  }

  private CompletableFuture<List<Long>> run(String... words) {
    return told(inTime(redis.eval(script, keys, arguments(words))));
  }

  private static List<byte[]> arguments(String... words) {
    return Stream.of(words).map(word -> word.getBytes(StandardCharsets.UTF_8)).toList();
  }

  private static <T> CompletableFuture<T> inTime(CompletableFuture<T> sent) {
    return sent.copy()
        .orTimeout(BUDGET.toNanos(), TimeUnit.NANOSECONDS)
        .whenComplete(
            (answer, failed) -> {
              if (failed != null) {
                sent.cancel(true);
              }
            });
  }

  private static <T> CompletableFuture<T> told(CompletableFuture<T> answer) {
    return answer.exceptionallyCompose(
        failed ->
            CompletableFuture.failedFuture(
                new RateLimiterException(
                    "Redis did not carry out what was asked of the overrides ("
                        + FailureCauses.of(failed).word()
                        + "): "
                        + Failures.root(failed).getMessage()
                        + ". Whether it was changed is in the audit trail.",
                    Failures.root(failed))));
  }

  /** Reads what was changed before this call: many changes at once share a reading. */
  private CompletableFuture<Void> poll() {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> waiting = next.compareAndExchange(null, mine);
    if (waiting != null) {
      return waiting;
    }
    try {
      poller.execute(
          () -> {
            next.set(null);
            read();
            mine.complete(null);
          });
    } catch (RejectedExecutionException closed) {
      next.set(null);
      mine.complete(null);
    }
    return mine;
  }

  private void read() {
    try {
      byte[] text = inTime(redis.text(script, keys, arguments("read", version))).join();
      take(new String(text, StandardCharsets.UTF_8).lines().toList());
      readNanos = System.nanoTime();
      if (failure.isPresent()) {
        LOG.log(System.Logger.Level.INFO, "The overrides are read from Redis again.");
      }
      failure = Optional.empty();
    } catch (CompletionException | IllegalArgumentException e) {
      noteFailure(Failures.root(e));
    }
  }

  private void noteFailure(Throwable cause) {
    String why = FailureCauses.of(cause).word() + ", " + cause.getMessage();
    if (failure.isEmpty()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The overrides cannot be read from Redis ({0}). Those known last hold until they can.",
          why);
    }
    failure = Optional.of(why);
  }

  private void take(List<String> lines) {
    String[] head = lines.get(0).split(" ", -1);
    long now = Long.parseLong(head[1]);
    aheadMicros = now - clock.epochMicros();
    if (head[0].equals(version)) {
      return;
    }
    List<Optional<Ruling>> read = lines.stream().skip(1).map(RulingText::rulingLine).toList();
    List<Ruling> rulings = read.stream().flatMap(Optional::stream).toList();
    int unread = read.size() - rulings.size();
    if (unread > damaged) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} of the overrides in Redis are damaged and are left out; set or lift them anew.",
          unread);
    }
    damaged = unread;
    held.swap(RulingSet.of(rulings, fixed));
    version = head[0];
  }

  private long nowMicros() {
    return clock.epochMicros() + aheadMicros;
  }

  @Override
  public List<Ruling> rulings() {
    return held.rulings().heldAt(nowMicros());
  }

  @Override
  public Treatment treatment(String subject, Origin origin, boolean isVerifiedBot) {
    long now = nowMicros();
    return held.at(now)
        .treatment(subject, origin.address(), isVerifiedBot, origin.routeMode(), now);
  }

  @Override
  public Optional<String> problem() {
    Optional<String> away =
        failure.map(
            why ->
                "the overrides are those of %s: %s"
                    .formatted(
                        readNanos == 0
                            ? "nobody, since none could be read yet"
                            : (System.nanoTime() - readNanos) / 1_000_000_000 + " s ago",
                        why));
    return away.isPresent() || damaged == 0
        ? away
        : Optional.of(damaged + " overrides in Redis are damaged and left out");
  }

  /** Ends asking. The limiter's connection stays open. */
  @Override
  public void close() {
    poller.shutdownNow();
  }
}
