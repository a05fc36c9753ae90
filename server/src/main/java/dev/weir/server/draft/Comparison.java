package dev.weir.server.draft;

import dev.weir.Decision;
import dev.weir.adaptive.Standing;
import dev.weir.server.decide.ByHand;
import dev.weir.server.decide.Decider;
import dev.weir.server.decide.DecisionObserver;
import dev.weir.server.decide.RequestDecision;
import dev.weir.server.live.SeenCall;
import dev.weir.server.policy.MemoryLimiters;
import dev.weir.server.policy.PolicyDefinition;
import dev.weir.server.policy.PolicyRegistry;
import dev.weir.server.policy.RequestAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What two sets of policies make of the same recorded calls, both from a fresh start, in memory and
 * at the recorded times. Touches nothing that runs.
 */
public final class Comparison {

  private static final String NO_POLICY = "";

  /** One set of policies and its clock. */
  private static final class Side implements DecisionObserver {
    private long nowMicros;
    private final Decider decider;

    Side(List<PolicyDefinition> policies, ByHand byHand) {
      PolicyRegistry registry = new PolicyRegistry(new MemoryLimiters(() -> nowMicros));
      registry.replaceAll(policies);
      this.decider = new Decider(registry, byHand, this);
    }

    Optional<RequestDecision> replay(SeenCall call) {
      nowMicros = Math.max(nowMicros, call.atMicros());
      if (call.isOutcome()) {
        decider.report(call.request(), call.status());
        return Optional.empty();
      }
      return decider.decide(call.request(), OptionalLong.empty()).join();
    }

    @Override
    public void decided(RequestAttributes request, RequestDecision ruling) {}

    @Override
    public void decided(String limits, String key, Decision decision) {}

    @Override
    public void reported(
        String policy,
        String limits,
        String key,
        RequestAttributes request,
        int status,
        Standing standing) {}

    @Override
    public boolean isInGoodStanding(String limits, String key) {
      return true;
    }
  }

  /** Counts of a policy on one side. */
  public static final class Counts {
    private long requests;
    private long refused;

    private void add(boolean isRefused) {
      requests++;
      refused += isRefused ? 1 : 0;
    }

    /** How many requests it was for. */
    public long requests() {
      return requests;
    }

    /** How many of them it refused. */
    public long refused() {
      return refused;
    }
  }

  /**
   * A subject that the two sides treat differently.
   *
   * @param key the subject
   * @param policy its policy in the draft, or now if the draft has none for it; empty for neither
   * @param requests how many requests it sent
   * @param refusedNow how many are refused now
   * @param refusedByDraft how many the draft would refuse
   */
  public record Difference(
      String key, String policy, long requests, long refusedNow, long refusedByDraft) {

    private long size() {
      return Math.abs(refusedNow - refusedByDraft);
    }
  }

  /**
   * What came of it.
   *
   * @param calls how many requests were replayed
   * @param now counts by policy, as the policies are; the empty name for requests without one
   * @param draft the same for the draft
   * @param differences the subjects with the largest differences
   */
  public record Result(
      int calls,
      Map<String, Counts> now,
      Map<String, Counts> draft,
      List<Difference> differences) {}

  private record Tally(String policy, Counts now, Counts draft) {}

  private Comparison() {}

  /** Compares. */
  public static Result of(
      List<SeenCall> calls,
      List<PolicyDefinition> now,
      List<PolicyDefinition> draft,
      ByHand byHand,
      int mostDifferences) {
    Side left = new Side(now, byHand);
    Side right = new Side(draft, byHand);
    Map<String, Counts> ofNow = new LinkedHashMap<>();
    Map<String, Counts> ofDraft = new LinkedHashMap<>();
    Map<String, Tally> subjects = new LinkedHashMap<>();
    int requests = 0;
    for (SeenCall call : calls) {
      Optional<RequestDecision> before = left.replay(call);
      Optional<RequestDecision> after = right.replay(call);
      if (!call.isOutcome()) {
        requests++;
        add(ofNow, before);
        add(ofDraft, after);
        String key = after.or(() -> before).map(RequestDecision::key).orElse("");
        String policy = after.or(() -> before).map(RequestDecision::policy).orElse(NO_POLICY);
        Tally tally =
            subjects.computeIfAbsent(key, it -> new Tally(policy, new Counts(), new Counts()));
        tally.now().add(isRefused(before));
        tally.draft().add(isRefused(after));
      }
    }
    return new Result(requests, ofNow, ofDraft, differences(subjects, mostDifferences));
  }

  private static void add(Map<String, Counts> counts, Optional<RequestDecision> ruling) {
    counts
        .computeIfAbsent(ruling.map(RequestDecision::policy).orElse(NO_POLICY), it -> new Counts())
        .add(isRefused(ruling));
  }

  private static boolean isRefused(Optional<RequestDecision> ruling) {
    return ruling.isPresent() && !ruling.get().allowed();
  }

  private static List<Difference> differences(Map<String, Tally> subjects, int most) {
    List<Difference> found = new ArrayList<>();
    subjects.forEach(
        (key, tally) -> {
          if (tally.now().refused() != tally.draft().refused()) {
            found.add(
                new Difference(
                    key,
                    tally.policy(),
                    tally.now().requests(),
                    tally.now().refused(),
                    tally.draft().refused()));
          }
        });
    found.sort(Comparator.comparingLong(Difference::size).reversed());
    return found.subList(0, Math.min(most, found.size()));
  }
}
