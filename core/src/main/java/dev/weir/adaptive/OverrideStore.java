package dev.weir.adaptive;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps what people decided by hand, and who did so: overrides of subjects, and ranges of
 * addresses. At most {@link #MOST_RULINGS} hold at a time, and the last {@link #MOST_CHANGES}
 * changes are remembered. Safe for use by any number of threads.
 *
 * <p>A ruling given to {@link #setAsync} begins now, by the store's clock, and lasts as long as it
 * says. What is decided is looked up in this process, without waiting.
 */
public interface OverrideStore extends AutoCloseable {

  /** How many rulings may hold at a time. */
  int MOST_RULINGS = 10_000;

  /** How many changes are remembered. */
  int MOST_CHANGES = 1_000;

  /**
   * Sets a ruling, in the place of an earlier one about the same target.
   *
   * @return the ruling with its times; or {@link dev.weir.RateLimiterException} if there is no room
   *     or the store does not answer
   */
  CompletableFuture<Ruling> setAsync(Ruling ruling);

  /**
   * Lifts a ruling before it ends.
   *
   * @param target whom it is about, as {@link Ruling#target}
   * @param author who lifts it
   * @param reason why
   * @return what was lifted; empty if nothing was to be
   */
  CompletableFuture<Optional<Ruling>> liftAsync(String target, String author, String reason);

  /** Remembers that what is known of a subject was forgotten. */
  CompletableFuture<Void> noteForgottenAsync(String subject, String author, String reason);

  /** The latest changes, the newest first. */
  CompletableFuture<List<RulingChange>> changesAsync();

  /** The rulings that hold now. */
  List<Ruling> rulings();

  /**
   * What a call is judged by.
   *
   * @param isVerifiedBot whether it is a bot whose name or address was verified
   */
  Treatment treatment(String subject, Origin origin, boolean isVerifiedBot);

  /** Why the rulings may not be the latest ones, in a sentence; empty if they are. */
  Optional<String> problem();

  /** Ends what the store runs; what is kept stays. */
  @Override
  void close();
}
