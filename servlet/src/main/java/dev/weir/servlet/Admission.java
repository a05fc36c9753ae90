package dev.weir.servlet;

import dev.weir.Charge;
import dev.weir.Concurrency;
import dev.weir.Decision;
import dev.weir.JointDecision;
import dev.weir.JointLimiter;
import dev.weir.JointPart;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.CallReader.Read;
import dev.weir.adaptive.Hash;
import dev.weir.adaptive.Origin;
import dev.weir.adaptive.Outcome;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.Treatment;
import dev.weir.local.PrecedenceRateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Whether a request may go on, by all rules that it matches: all of them are charged or none.
 *
 * <p>Rules of rates come first, in one joint call; then those that hold permits; then adaptive
 * ones, whose charge cannot be given back. What was charged before a refusal is given back.
 *
 * <p>Changed by one step after the other, each of which happens before the next.
 */
final class Admission {

  private record Taken(RateLimiter limiter, String key, Charge charge) {}

  private record Held(RateLimiter limiter, Reservation reservation) {}

  private record Judged(Ask ask, Read read, AdaptiveVerdict verdict) {}

  private record ToJudge(Ask ask, Read read, SubjectCall call, Origin origin) {}

  private final List<Decision> decisions = new ArrayList<>();
  private final List<Taken> taken = new ArrayList<>();
  private final List<Held> held = new ArrayList<>();
  private final List<Judged> judged = new ArrayList<>();
  private boolean allowed = true;
  private boolean ofUnknownClient;
  private @Nullable AdaptiveVerdict refusingVerdict;

  private Admission() {}

  /** A refusal, since it cannot be told whom the request is from. */
  static Admission ofUnknownClient() {
    Admission admission = new Admission();
    admission.allowed = false;
    admission.ofUnknownClient = true;
    return admission;
  }

  /** Asks for a request, at once or later. */
  static CompletableFuture<Admission> ask(List<Ask> asks) {
    Admission admission = new Admission();
    List<JointPart> rates = new ArrayList<>();
    List<Ask> holding = new ArrayList<>();
    List<ToJudge> adaptive = new ArrayList<>();
    for (Ask ask : asks) {
      RateLimiter limiter = ask.rule().limiter();
      if (limiter == null) {
        // Now, since the request must not be looked at by another thread.
        adaptive.add(toJudge(ask));
      } else if (ask.permits() > 0 && RateLimitRule.holds(limiter.policy())) {
        holding.add(ask);
      } else {
        rates.add(new JointPart(limiter, ask.key(), ask.permits()));
      }
    }
    CompletableFuture<?> last = admission.askRates(rates);
    for (Ask ask : holding) {
      last = last.thenCompose(done -> admission.hold(ask));
    }
    for (ToJudge each : adaptive) {
      last = last.thenCompose(done -> admission.judge(each));
    }
    return last.handle((done, failure) -> failure)
        .thenCompose(
            failure -> {
              if (failure != null) {
                admission.giveBack();
                return CompletableFuture.failedFuture(failure);
              }
              if (!admission.allowed) {
                admission.giveBack();
              }
              return CompletableFuture.completedFuture(admission);
            });
  }

  private CompletableFuture<?> askRates(List<JointPart> rates) {
    if (rates.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    if (rates.size() == 1) {
      JointPart only = rates.get(0);
      return only.limiter()
          .tryAcquireAsync(only.key(), only.permits())
          .thenAccept(decision -> note(only, decision));
    }
    return JointLimiter.tryAcquireAsync(rates).thenAccept(this::note);
  }

  private void note(JointPart part, Decision decision) {
    decisions.add(decision);
    allowed &= decision.allowed();
    decision.charge().ifPresent(it -> taken.add(new Taken(part.limiter(), part.key(), it)));
  }

  private void note(JointDecision joint) {
    decisions.addAll(joint.decisions());
    allowed = joint.allowed();
    for (int i = 0; allowed && i < joint.parts().size(); i++) {
      JointPart part = joint.parts().get(i);
      joint
          .decisions()
          .get(i)
          .charge()
          .ifPresent(it -> taken.add(new Taken(part.limiter(), part.key(), it)));
    }
  }

  private CompletableFuture<?> hold(Ask ask) {
    if (!allowed) {
      return CompletableFuture.completedFuture(null);
    }
    RateLimiter limiter = Objects.requireNonNull(ask.rule().limiter());
    return limiter
        .reserveAsync(ask.key(), ask.permits(), longestLease(ask))
        .thenAccept(
            reservation -> {
              decisions.add(reservation.decision());
              allowed &= reservation.decision().allowed();
              if (reservation.isHeld()) {
                held.add(new Held(limiter, reservation));
              }
            });
  }

  private static Duration longestLease(Ask ask) {
    Duration longest =
        ask.rule().policy().limits().stream()
            .filter(it -> it.limit() instanceof Concurrency)
            .map(it -> ((Concurrency) it.limit()).lease())
            .max(Duration::compareTo)
            .orElse(Reservation.MAX_LIFE);
    return longest.compareTo(Reservation.MAX_LIFE) > 0 ? Reservation.MAX_LIFE : longest;
  }

  private static ToJudge toJudge(Ask ask) {
    RateLimitRule.Adaptive adaptive = Objects.requireNonNull(ask.rule().adaptive());
    Read read = read(ask, adaptive);
    long nowMicros = System.currentTimeMillis() * 1_000;
    Treatment treatment =
        ask.rule().precedence().treatment(ask.key(), ask.address(), false, null, nowMicros);
    return new ToJudge(
        ask,
        read,
        SubjectCall.of(ask.key(), read.call()).permits(ask.permits()).treatment(treatment),
        new Origin(ask.address(), ask.request().header("User-Agent"), null));
  }

  private static CompletableFuture<AdaptiveVerdict> decide(ToJudge asked) {
    AdaptiveRateLimiter limiter = Objects.requireNonNull(asked.ask().rule().adaptive()).limiter();
    // One that knows overrides and ranges looks at where the call is from.
    return limiter instanceof PrecedenceRateLimiter first
        ? first.decideAsync(asked.call(), asked.origin())
        : limiter.decideAsync(asked.call());
  }

  private CompletableFuture<?> judge(ToJudge asked) {
    if (!allowed) {
      return CompletableFuture.completedFuture(null);
    }
    return decide(asked)
        .thenAccept(
            verdict -> {
              decisions.add(verdict.base());
              if (verdict.allowed()) {
                judged.add(new Judged(asked.ask(), asked.read(), verdict));
              } else {
                allowed = false;
                refusingVerdict = verdict;
              }
            });
  }

  private static Read read(Ask ask, RateLimitRule.Adaptive adaptive) {
    String agent = ask.request().header("User-Agent");
    return adaptive
        .reader()
        .read(
            ask.request().method(),
            ask.request().path(),
            ask.request().route(),
            false,
            agent == null ? "" : agent,
            ask.request().principal(),
            null,
            Math.max(1, ask.permits()));
  }

  /** Whether the request may go on. */
  boolean isAllowed() {
    return allowed;
  }

  /** What was decided, by those that were asked. */
  List<Decision> decisions() {
    return decisions;
  }

  /** Whether it cannot be told whom the request is from. */
  boolean isOfUnknownClient() {
    return ofUnknownClient;
  }

  /** The verdict of the adaptive limiter that refused; {@code null} if another one did, or none. */
  @Nullable AdaptiveVerdict refusingVerdict() {
    return refusingVerdict;
  }

  /** Whether there is something to do when the response is complete. */
  boolean needsFinish() {
    return !held.isEmpty() || !judged.isEmpty();
  }

  /**
   * Frees what is held and reports how the application answered. Waits for nothing; what cannot be
   * freed now is free when its lease ends.
   */
  void finish(int status) {
    for (Held each : held) {
      Reservation reservation = each.reservation();
      CompletableFuture<?> unused =
          each.limiter()
              .settleAsync(reservation.key(), reservation.id(), reservation.decision().permits());
    }
    for (Judged each : judged) {
      RateLimitRule.Adaptive adaptive = Objects.requireNonNull(each.ask().rule().adaptive());
      Read read = each.read();
      boolean isPopular =
          read.isMissing(status)
              && adaptive
                  .popular()
                  .note(
                      read.popularPath(),
                      Hash.of(each.ask().key()),
                      each.verdict().isInGoodStanding());
      Outcome outcome = read.outcome(status, isPopular);
      adaptive.limiter().report(each.ask().key(), outcome);
    }
  }

  /** Gives back all that was charged, as if nothing had been asked. Waits for nothing. */
  void giveBack() {
    for (Taken each : taken) {
      CompletableFuture<?> unused = each.limiter().refundAsync(each.key(), each.charge());
    }
    for (Held each : held) {
      CompletableFuture<?> unused =
          each.limiter().settleAsync(each.reservation().key(), each.reservation().id(), 0);
    }
    taken.clear();
    held.clear();
  }
}
