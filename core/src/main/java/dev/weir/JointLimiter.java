package dev.weir;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Charges one call to several keys, such as a user, a tenant and everybody: all of them or none.
 *
 * <pre>{@code
 * JointDecision decision =
 *     JointLimiter.tryAcquire(
 *         JointPart.of(perUser, "acme/alice"),
 *         JointPart.of(perTenant, "acme"),
 *         JointPart.of(global, "all"));
 * }</pre>
 *
 * <p>Keys that are in one place are decided by one atomic step: all keys of limiters in memory that
 * read one {@link TimeSource}, all of one Redis, and on a Cluster all that have one {@code
 * slotTag}.
 *
 * <p>Keys that are in several places are decided place after place, in the order of the parts. If
 * one refuses, what the places before it were charged is given back, as by {@link
 * RateLimiter#refund(String, Charge)}. That keeps every limit: none ever admits more than by
 * itself. But between the charge and its return others can be refused what nobody used in the end;
 * and what cannot be given back, since the process or the store fails, stays charged until it
 * expires. So put first what refuses most often.
 *
 * <p>Safe for use by any number of threads.
 */
public final class JointLimiter {

  private JointLimiter() {}

  /**
   * Asks for the permits of all parts, and charges all of them or none.
   *
   * @param parts two or more; no key of a limiter twice
   * @throws IllegalArgumentException if a key is there twice, or nothing is asked for
   * @throws RateLimiterException if a store did not answer
   */
  public static JointDecision tryAcquire(JointPart... parts) {
    return Answers.await(tryAcquireAsync(List.of(parts)));
  }

  /** As {@link #tryAcquire(JointPart...)}, without waiting for the answer. */
  public static CompletableFuture<JointDecision> tryAcquireAsync(List<JointPart> parts) {
    checkDistinct(parts);
    Map<Object, List<JointPart>> places = new LinkedHashMap<>();
    for (JointPart part : parts) {
      JointStore store = part.limiter().jointStore(part.key());
      places.computeIfAbsent(store == null ? part : store, any -> new ArrayList<>()).add(part);
    }
    Map<JointPart, Decision> decided = new LinkedHashMap<>();
    return ask(new ArrayList<>(places.entrySet()), 0, decided)
        .thenApply(
            done ->
                new JointDecision(
                    parts, parts.stream().filter(decided::containsKey).map(decided::get).toList()));
  }

  private static void checkDistinct(List<JointPart> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a joint call has one part or more, and has none");
    }
    for (int i = 0; i < parts.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (parts.get(i).limiter() == parts.get(j).limiter()
            && parts.get(i).key().equals(parts.get(j).key())) {
          throw new IllegalArgumentException(
              "a joint call charges each key once, and has one of policy '%s' twice; ask for more"
                      .formatted(parts.get(i).limiter().policy().name())
                  + " permits of it instead");
        }
      }
    }
  }

  private static CompletableFuture<Void> ask(
      List<Map.Entry<Object, List<JointPart>>> places,
      int place,
      Map<JointPart, Decision> decided) {
    if (place == places.size()) {
      return CompletableFuture.completedFuture(null);
    }
    List<JointPart> parts = places.get(place).getValue();
    CompletableFuture<List<Decision>> answer =
        parts.size() == 1
            ? one(parts.get(0))
            : ((JointStore) places.get(place).getKey()).tryAcquireAll(parts);
    return answer
        .handle((decisions, failure) -> taken(parts, decisions, failure, decided))
        .thenCompose(
            failure -> {
              if (failure == null && decided.values().stream().allMatch(Decision::allowed)) {
                return ask(places, place + 1, decided);
              }
              return giveBack(decided, parts, failure);
            });
  }

  private static CompletableFuture<List<Decision>> one(JointPart part) {
    return part.limiter().tryAcquireAsync(part.key(), part.permits()).thenApply(List::of);
  }

  private static @Nullable Throwable taken(
      List<JointPart> parts,
      @Nullable List<Decision> decisions,
      @Nullable Throwable failure,
      Map<JointPart, Decision> decided) {
    for (int i = 0; decisions != null && i < parts.size(); i++) {
      decided.put(parts.get(i), decisions.get(i));
    }
    return failure;
  }

  /** Gives back what the places before this one were charged; then fails, if that is the reason. */
  private static CompletableFuture<Void> giveBack(
      Map<JointPart, Decision> decided, List<JointPart> refused, @Nullable Throwable failure) {
    List<CompletableFuture<?>> refunds = new ArrayList<>();
    decided.forEach(
        (part, decision) -> {
          if (!refused.contains(part)) {
            decision
                .charge()
                .ifPresent(it -> refunds.add(part.limiter().refundAsync(part.key(), it)));
          }
        });
    // What could not be given back was told by its own store, and changes nothing here.
    CompletableFuture<Void> given =
        CompletableFuture.allOf(refunds.toArray(CompletableFuture<?>[]::new))
            .exceptionally(unreturned -> null);
    return failure == null
        ? given
        : given.thenCompose(any -> CompletableFuture.failedFuture(failure));
  }
}
