package dev.weir.testkit;

import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterException;
import dev.weir.Reservation;
import dev.weir.Settlement;
import dev.weir.Source;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A limiter that answers what it is told to, for tests of what an application does with the answer,
 * and that notes what it was asked. It counts nothing. Safe for use by any number of threads.
 *
 * <pre>{@code
 * StubRateLimiter limiter = StubRateLimiter.allowing();
 * service.handle("alice");
 * limiter.refuse(Duration.ofSeconds(5));
 * assertThatThrownBy(() -> service.handle("alice")).isInstanceOf(TooManyRequests.class);
 * assertThat(limiter.calls()).hasSize(2);
 * }</pre>
 */
public final class StubRateLimiter implements RateLimiter {

  /** How a call is answered. */
  @FunctionalInterface
  public interface Answer {
    /** The answer, at once or later. */
    CompletableFuture<Decision> to(Call call);
  }

  /**
   * A call that was made.
   *
   * @param operation the name of the method, without {@code Async}
   * @param permits what was asked for; 0 for {@code reset}
   */
  public record Call(String operation, String key, long permits) {}

  private static final long CAPACITY = 1_000;
  private static final long WINDOW_MICROS = 60_000_000;

  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final Set<String> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong reservations = new AtomicLong();
  private volatile RateLimitPolicy policy;
  private volatile Answer answer;

  private StubRateLimiter(RateLimitPolicy policy) {
    this.policy = policy;
    this.answer = call -> CompletableFuture.completedFuture(allowed(call.permits()));
  }

  /** One that allows every call, of a policy {@code stub} with 1,000 permits a minute. */
  public static StubRateLimiter allowing() {
    return of(RateLimitPolicy.of("stub", FixedWindow.of(CAPACITY, Duration.ofMinutes(1))));
  }

  /** One that allows every call, of a policy. */
  public static StubRateLimiter of(RateLimitPolicy policy) {
    return new StubRateLimiter(Objects.requireNonNull(policy, "policy"));
  }

  /** From now on allows every call. */
  public StubRateLimiter allow() {
    return answer(call -> CompletableFuture.completedFuture(allowed(call.permits())));
  }

  /**
   * From now on refuses every call.
   *
   * @param retryAfter the wait that it tells; more than zero
   */
  public StubRateLimiter refuse(Duration retryAfter) {
    long micros = ManualClock.micros(retryAfter);
    if (micros < 1) {
      throw new IllegalArgumentException("retryAfter must be 1 us or more, and was " + retryAfter);
    }
    return answer(call -> CompletableFuture.completedFuture(decision(call.permits(), micros)));
  }

  /** From now on refuses every call for ever, as a cost that no limit can hold. */
  public StubRateLimiter refuseForEver() {
    return answer(call -> CompletableFuture.completedFuture(decision(call.permits(), -1)));
  }

  /** From now on fails every call. */
  public StubRateLimiter fail(RateLimiterException failure) {
    return answer(call -> CompletableFuture.failedFuture(failure));
  }

  /** From now on leaves every call without an answer. */
  public StubRateLimiter hang() {
    return answer(call -> new CompletableFuture<>());
  }

  /** From now on answers every call in that way. */
  public StubRateLimiter answer(Answer answer) {
    this.answer = Objects.requireNonNull(answer, "answer");
    return this;
  }

  /** What was called, in order. */
  public List<Call> calls() {
    return List.copyOf(calls);
  }

  /** How many reservations are neither settled nor cancelled. */
  public int openReservations() {
    return open.size();
  }

  private Decision allowed(long permits) {
    return decision(permits, 0);
  }

  private Decision decision(long permits, long waitMicros) {
    long[] verdicts = new long[policy.limits().size() * Decision.VERDICT_LENGTH];
    for (int i = 0; i < policy.limits().size(); i++) {
      int at = i * Decision.VERDICT_LENGTH;
      long capacity = policy.limits().get(i).limit().capacity();
      verdicts[at] = waitMicros > 0 ? 0 : Math.max(0, capacity - permits);
      verdicts[at + 1] = waitMicros;
      verdicts[at + 2] = Math.max(waitMicros, 1);
      verdicts[at + 3] = Math.max(waitMicros, WINDOW_MICROS);
    }
    return Decision.of(policy, Source.MEMORY, permits, verdicts);
  }

  private CompletableFuture<Decision> answered(String operation, String key, long permits) {
    Objects.requireNonNull(key, "key");
    Limit.checkPermits(permits, 0);
    Call call = new Call(operation, key, permits);
    calls.add(call);
    return answer.to(call);
  }

  private static <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : e;
    }
  }

  @Override
  public RateLimitPolicy policy() {
    return policy;
  }

  @Override
  public void changePolicy(RateLimitPolicy policy) {
    this.policy = Objects.requireNonNull(policy, "policy");
  }

  @Override
  public Decision tryAcquire(String key, long permits) {
    return await(tryAcquireAsync(key, permits));
  }

  @Override
  public CompletableFuture<Decision> tryAcquireAsync(String key, long permits) {
    return answered("tryAcquire", key, permits);
  }

  @Override
  public CompletableFuture<Decision> acquireAsync(String key, long permits, Duration timeout) {
    return answered("acquire", key, permits);
  }

  @Override
  public Decision peek(String key, long permits) {
    return await(peekAsync(key, permits));
  }

  @Override
  public CompletableFuture<Decision> peekAsync(String key, long permits) {
    return answered("peek", key, permits);
  }

  @Override
  public CompletableFuture<Decision> chargeAsync(String key, long permits) {
    return answered("charge", key, permits);
  }

  @Override
  public CompletableFuture<Decision> refundAsync(String key, long permits) {
    return answered("refund", key, permits);
  }

  @Override
  public CompletableFuture<Decision> refundAsync(String key, Charge charge) {
    return answered("refund", key, charge.permits());
  }

  @Override
  public CompletableFuture<Reservation> reserveAsync(
      String key, long permits, Duration expiresAfter) {
    Limit.checkPermits(permits, 1);
    long unused = Reservation.lifeMicros(expiresAfter);
    return answered("reserve", key, permits)
        .thenApply(
            decision -> {
              String id = decision.allowed() ? "stub-" + reservations.incrementAndGet() : "";
              if (decision.allowed()) {
                open.add(id);
              }
              return new Reservation(key, id, expiresAfter, decision);
            });
  }

  @Override
  public CompletableFuture<Settlement> settleAsync(String key, String reservationId, long permits) {
    return answered("settle", key, permits)
        .thenApply(
            decision -> {
              boolean found = open.remove(reservationId);
              return new Settlement(found, found ? permits : 0, decision);
            });
  }

  @Override
  public void reset(String key) {
    await(resetAsync(key));
  }

  @Override
  public CompletableFuture<Void> resetAsync(String key) {
    return answered("reset", key, 0).thenApply(decision -> null);
  }
}
