package dev.weir.local;

import dev.weir.RateLimiterException;
import dev.weir.TimeSource;
import dev.weir.adaptive.AddressRanges;
import dev.weir.adaptive.Origin;
import dev.weir.adaptive.OverrideStore;
import dev.weir.adaptive.Ruling;
import dev.weir.adaptive.RulingChange;
import dev.weir.adaptive.RulingSet;
import dev.weir.adaptive.Treatment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Keeps rulings in this process, for as long as it runs. */
public final class LocalOverrideStore implements OverrideStore {

  private final TimeSource timeSource;
  private final AddressRanges fixed;
  private final Map<String, Ruling> rulings = new LinkedHashMap<>();
  private final Deque<RulingChange> changes = new ArrayDeque<>();
  private final HeldRulings held;

  private LocalOverrideStore(TimeSource timeSource, AddressRanges fixed) {
    this.timeSource = Objects.requireNonNull(timeSource, "timeSource");
    this.fixed = Objects.requireNonNull(fixed, "fixed");
    this.held = new HeldRulings(RulingSet.of(List.of(), fixed));
  }

  /** A store without rulings, that allows loopback. */
  public static LocalOverrideStore create() {
    return create(TimeSource.monotonic(), AddressRanges.standard());
  }

  /**
   * A store without rulings.
   *
   * @param timeSource when rulings begin and end
   * @param fixed the ranges that configuration says
   */
  public static LocalOverrideStore create(TimeSource timeSource, AddressRanges fixed) {
    return new LocalOverrideStore(timeSource, fixed);
  }

  @Override
  public synchronized CompletableFuture<Ruling> setAsync(Ruling ruling) {
    long now = timeSource.epochMicros();
    rulings.values().removeIf(kept -> !kept.holdsAt(now));
    if (rulings.size() >= MOST_RULINGS && !rulings.containsKey(ruling.target())) {
      return CompletableFuture.failedFuture(full());
    }
    Ruling begun = ruling.startingAt(now);
    rulings.put(begun.target(), begun);
    remember(
        new RulingChange(
            now,
            RulingChange.Kind.SET,
            begun.target(),
            Optional.of(begun),
            begun.author(),
            begun.reason()));
    return CompletableFuture.completedFuture(begun);
  }

  /** What is thrown when no ruling more has room. */
  public static RateLimiterException full() {
    return new RateLimiterException(
        "%d rulings hold, which is the most that are kept; lift some, or rule about a range of"
                .formatted(MOST_RULINGS)
            + " addresses instead of each",
        null);
  }

  @Override
  public synchronized CompletableFuture<Optional<Ruling>> liftAsync(
      String target, String author, String reason) {
    Ruling.checkText("author", author);
    Ruling.checkText("reason", reason);
    long now = timeSource.epochMicros();
    Optional<Ruling> lifted =
        Optional.ofNullable(rulings.remove(Objects.requireNonNull(target, "target")))
            .filter(ruling -> ruling.holdsAt(now));
    if (lifted.isPresent()) {
      remember(new RulingChange(now, RulingChange.Kind.LIFTED, target, lifted, author, reason));
    }
    return CompletableFuture.completedFuture(lifted);
  }

  @Override
  public synchronized CompletableFuture<Void> noteForgottenAsync(
      String subject, String author, String reason) {
    Ruling.checkText("author", author);
    Ruling.checkText("reason", reason);
    remember(
        new RulingChange(
            timeSource.epochMicros(),
            RulingChange.Kind.FORGOTTEN,
            Ruling.subjectTarget(subject),
            Optional.empty(),
            author,
            reason));
    return CompletableFuture.completedFuture(null);
  }

  private void remember(RulingChange change) {
    changes.addFirst(change);
    if (changes.size() > MOST_CHANGES) {
      changes.removeLast();
    }
    held.swap(RulingSet.of(rulings.values(), fixed));
  }

  @Override
  public synchronized CompletableFuture<List<RulingChange>> changesAsync() {
    return CompletableFuture.completedFuture(List.copyOf(changes));
  }

  @Override
  public List<Ruling> rulings() {
    return held.rulings().heldAt(timeSource.epochMicros());
  }

  @Override
  public Treatment treatment(String subject, Origin origin, boolean isVerifiedBot) {
    long now = timeSource.epochMicros();
    return held.at(now)
        .treatment(subject, origin.address(), isVerifiedBot, origin.routeMode(), now);
  }

  @Override
  public Optional<String> problem() {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
