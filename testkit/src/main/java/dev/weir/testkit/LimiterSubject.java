package dev.weir.testkit;

import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.Settlement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A limiter, with the charges and reservations that it answered. */
class LimiterSubject implements Subject {

  private final RateLimiter limiter;
  private final Map<String, List<Charge>> charges = new HashMap<>();
  private final Map<String, List<Reservation>> reservations = new HashMap<>();

  LimiterSubject(RateLimiter limiter) {
    this.limiter = limiter;
  }

  final Answer noted(String key, Decision decision) {
    decision.charge().ifPresent(charge -> of(charges, key).add(charge));
    return Answer.of(decision);
  }

  private static <T> List<T> of(Map<String, List<T>> all, String key) {
    return all.computeIfAbsent(key, any -> new ArrayList<>());
  }

  private static <T> T latest(Map<String, List<T>> all, String key, int back) {
    List<T> known = of(all, key);
    return known.get(known.size() - 1 - back);
  }

  @Override
  public Answer tryAcquire(String key, long permits) {
    return noted(key, limiter.tryAcquire(key, permits));
  }

  @Override
  public Answer peek(String key, long permits) {
    return Answer.of(limiter.peek(key, permits));
  }

  @Override
  public Answer charge(String key, long permits) {
    return noted(key, limiter.charge(key, permits));
  }

  @Override
  public Answer refund(String key, long permits) {
    return Answer.of(limiter.refund(key, permits));
  }

  @Override
  public Answer giveBack(String key, int back, long permits) {
    Charge charge = latest(charges, key, back);
    Charge part = charge.part(Math.max(1, Math.min(permits, charge.permits())));
    return Answer.of(limiter.refund(key, part));
  }

  @Override
  public Answer reserve(String key, long permits, long lifeMicros) {
    Reservation made = limiter.reserve(key, permits, Duration.of(lifeMicros, ChronoUnit.MICROS));
    if (made.isHeld()) {
      of(reservations, key).add(made);
    }
    return Answer.of(made.decision());
  }

  @Override
  public Answer settle(String key, int back, long permits) {
    Settlement settlement = limiter.settle(latest(reservations, key, back), permits);
    return Answer.of(settlement.decision())
        .settledAt(settlement.found() ? settlement.permits() : -1);
  }

  @Override
  public int charges(String key) {
    return of(charges, key).size();
  }

  @Override
  public int reservations(String key) {
    return of(reservations, key).size();
  }

  @Override
  public void reset(String key) {
    limiter.reset(key);
  }

  @Override
  public void changePolicy(RateLimitPolicy policy) {
    limiter.changePolicy(policy);
  }
}
