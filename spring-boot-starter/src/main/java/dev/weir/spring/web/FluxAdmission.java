package dev.weir.spring.web;

import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.JointLimiter;
import dev.weir.JointPart;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Whether a request may go on, by all rules that it matches: all of them are charged or none. Rules
 * of rates come first, in one joint call; then those that hold permits until the request is over.
 * Changed by one step after the other.
 */
final class FluxAdmission {

  /** What one rule asks for a request. */
  record Ask(HttpRule rule, String key) {
    JointPart part() {
      return new JointPart(rule.limiter(), key, rule.cost());
    }
  }

  private record Taken(JointPart part, Charge charge) {}

  private record Held(RateLimiter limiter, Reservation reservation) {}

  private final List<Decision> decisions = new ArrayList<>();
  private final List<Taken> taken = new ArrayList<>();
  private final List<Held> held = new ArrayList<>();
  private boolean allowed = true;

  private FluxAdmission() {}

  static CompletableFuture<FluxAdmission> ask(List<Ask> asks) {
    FluxAdmission admission = new FluxAdmission();
    List<JointPart> rates = asks.stream().filter(ask -> !holds(ask)).map(Ask::part).toList();
    CompletableFuture<?> last = admission.askRates(rates);
    for (Ask ask : asks) {
      if (holds(ask)) {
        last = last.thenCompose(done -> admission.hold(ask));
      }
    }
    return last.handle(
            (done, failure) -> {
              if (failure != null || !admission.allowed) {
                admission.giveBack();
              }
              return failure;
            })
        .thenCompose(
            failure ->
                failure == null
                    ? CompletableFuture.completedFuture(admission)
                    : CompletableFuture.failedFuture(failure));
  }

  private static boolean holds(Ask ask) {
    return ask.rule().cost() > 0 && ask.rule().holds();
  }

  private CompletableFuture<?> askRates(List<JointPart> rates) {
    if (rates.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    if (rates.size() == 1) {
      JointPart only = rates.get(0);
      return only.limiter()
          .tryAcquireAsync(only.key(), only.permits())
          .thenAccept(decision -> note(rates, List.of(decision)));
    }
    return JointLimiter.tryAcquireAsync(rates)
        .thenAccept(joint -> note(joint.parts(), joint.decisions()));
  }

  /** After a refusal there may be fewer decisions than parts, and nothing is charged. */
  private void note(List<JointPart> parts, List<Decision> answers) {
    decisions.addAll(answers);
    allowed = answers.stream().allMatch(Decision::allowed);
    for (int i = 0; allowed && i < answers.size(); i++) {
      JointPart part = parts.get(i);
      answers.get(i).charge().ifPresent(charge -> taken.add(new Taken(part, charge)));
    }
  }

  private CompletableFuture<?> hold(Ask ask) {
    if (!allowed) {
      return CompletableFuture.completedFuture(null);
    }
    RateLimiter limiter = ask.rule().limiter();
    return limiter
        .reserveAsync(ask.key(), ask.rule().cost(), Leases.longest(limiter.policy()))
        .thenAccept(
            reservation -> {
              decisions.add(reservation.decision());
              allowed = reservation.decision().allowed();
              if (reservation.isHeld()) {
                held.add(new Held(limiter, reservation));
              }
            });
  }

  boolean isAllowed() {
    return allowed;
  }

  List<Decision> decisions() {
    return decisions;
  }

  /** Frees what is held. Waits for nothing; what cannot be freed is free when its lease ends. */
  void finish() {
    for (Held each : held) {
      Reservation reservation = each.reservation();
      CompletableFuture<?> unused =
          each.limiter()
              .settleAsync(reservation.key(), reservation.id(), reservation.decision().permits());
    }
    held.clear();
  }

  /** Gives back all that was charged. Waits for nothing. */
  void giveBack() {
    for (Taken each : taken) {
      CompletableFuture<?> unused =
          each.part().limiter().refundAsync(each.part().key(), each.charge());
    }
    for (Held each : held) {
      CompletableFuture<?> unused =
          each.limiter().settleAsync(each.reservation().key(), each.reservation().id(), 0);
    }
    taken.clear();
    held.clear();
  }
}
