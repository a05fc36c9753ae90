package dev.weir.local;

import dev.weir.Decision;
import dev.weir.JointPart;
import dev.weir.JointStore;
import dev.weir.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Decides keys of limiters in this process that read one clock: the stripes of all of them are
 * locked, in one order for everybody, and nothing is charged before all are asked.
 *
 * @param timeSource the clock
 */
record LocalJointStore(TimeSource timeSource) implements JointStore {

  /** A key, and where its state is. */
  private record Place(JointPart part, LocalRateLimiter limiter, Stripe stripe) {

    static Place of(JointPart part) {
      LocalRateLimiter limiter = (LocalRateLimiter) part.limiter();
      return new Place(part, limiter, limiter.stripe(part.key()));
    }

    Decision decide(boolean charge, long nowMicros) {
      return limiter.decide(part.key(), part.permits(), charge, nowMicros);
    }
  }

  @Override
  public CompletableFuture<List<Decision>> tryAcquireAll(List<JointPart> parts) {
    List<Place> places = parts.stream().map(Place::of).toList();
    List<Stripe> stripes =
        places.stream()
            .map(Place::stripe)
            .distinct()
            .sorted(Comparator.comparingLong(Stripe::number))
            .toList();
    stripes.forEach(Stripe::lock);
    try {
      return CompletableFuture.completedFuture(decide(places));
    } finally {
      stripes.forEach(Stripe::unlock);
    }
  }

  private List<Decision> decide(List<Place> places) {
    long now = timeSource.epochMicros();
    List<Decision> looks = decide(places, false, now);
    return looks.stream().allMatch(Decision::allowed) ? decide(places, true, now) : looks;
  }

  private static List<Decision> decide(List<Place> places, boolean charge, long nowMicros) {
    List<Decision> decisions = new ArrayList<>();
    places.forEach(place -> decisions.add(place.decide(charge, nowMicros)));
    return decisions;
  }
}
