package dev.weir.server.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.weir.LimitStatus;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.AdaptiveVerdict;
import dev.weir.adaptive.Explanation;
import dev.weir.adaptive.OverrideStore;
import dev.weir.adaptive.Ruling;
import dev.weir.adaptive.SubjectCall;
import dev.weir.adaptive.Tier;
import dev.weir.adaptive.Treatment;
import dev.weir.config.ConfigException;
import dev.weir.config.Fields;
import dev.weir.config.LimitFields;
import dev.weir.server.live.Live;
import dev.weir.server.live.SignalWords;
import dev.weir.server.live.SubjectView;
import dev.weir.server.policy.PolicyRegistry;
import dev.weir.server.policy.RunningPolicy;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code /v1/admin/subjects} and {@code /subject}: who is limited, and why. */
public final class SubjectService {

  private static final String POLICY = "policy";
  private static final String LIMITS = "limits";
  private static final String KEY = "key";
  private static final long MICROS_PER_MILLI = 1_000;
  private static final Treatment LOOK = new Treatment(Treatment.Kind.LIMITED, Tier.NORMAL, "");

  private final PolicyRegistry registry;
  private final Live live;
  private final OverrideStore overrides;
  private final InstantSource clock;

  /** Tells of the subjects of those policies. */
  public SubjectService(
      PolicyRegistry registry, Live live, OverrideStore overrides, InstantSource clock) {
    this.overrides = overrides;
    this.registry = registry;
    this.live = live;
    this.clock = clock;
  }

  Object list(ServiceRequestContext ctx) {
    int limit = Parameters.number(ctx, "limit", 50, 1, 500);
    String search = Parameters.text(ctx, "search", "");
    String policy = Parameters.text(ctx, POLICY, "");
    String view = Parameters.text(ctx, "view", "recent");
    long now = clock.millis();
    List<SubjectView> found =
        switch (view) {
          case "recent" -> live.subjects().search(search, policy, limit, now);
          case "limited" -> live.subjects().topLimited(limit, now);
          case "blocked" -> live.subjects().blocked(limit, now);
          case "above-normal" -> live.subjects().aboveNormal(limit, now);
          default ->
              throw new ConfigException(
                  "view",
                  "must be recent, limited, above-normal or blocked, and was '" + view + "'");
        };
    return Map.of(
        "nowMillis", now,
        "known", live.subjects().size(),
        "subjects", found.stream().map(SubjectService::of).toList());
  }

  private static Map<String, Object> of(SubjectView subject) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(POLICY, subject.policy());
    fields.put(LIMITS, subject.limits());
    fields.put(KEY, subject.key());
    fields.put("tier", subject.tier().word());
    fields.put("requests", subject.requests());
    fields.put("refused", subject.refused());
    fields.put("refusedLately", subject.refusedLately());
    fields.put("firstMillis", subject.firstMillis());
    fields.put("lastMillis", subject.lastMillis());
    return fields;
  }

  Object one(ServiceRequestContext ctx) {
    String limits = Parameters.text(ctx, LIMITS);
    String key = Parameters.text(ctx, KEY);
    RunningPolicy policy = registry.ownerOf(limits).orElse(null);
    if (policy == null) {
      return Problem.unknownPolicy(limits);
    }
    long now = clock.millis();
    live.subjects().asked(limits, key, now);
    AdaptiveRateLimiter adaptive = policy.adaptive(limits);
    Explanation why = adaptive.explainAsync(key).join();
    live.subjects().risk(limits, key, why.risk(), why.tier(), now);
    Optional<SubjectView> seen = live.subjects().find(limits, key, now);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("nowMillis", now);
    answer.put(POLICY, policy.name());
    answer.put(LIMITS, limits);
    answer.put(KEY, key);
    answer.put("seen", seen.map(SubjectService::of).orElse(null));
    answer.put("override", override(key));
    answer.put("limitStates", limitStates(policy, limits, key));
    answer.put("mode", adaptive.policy().mode().word());
    answer.put("tier", why.tier().word());
    answer.put("risk", rounded(why.risk()));
    answer.put("evidence", rounded(why.evidence()));
    answer.put("isShared", why.isShared());
    answer.put("strikes", rounded(why.strikes()));
    answer.put("signals", signals(why));
    answer.put("counters", why.counters());
    answer.put(
        "blockEndMillis", why.blockEndMicros().map(it -> it / MICROS_PER_MILLI).orElse(null));
    answer.put("next", Forecasts.of(why, adaptive.policy(), now));
    answer.put("risks", risks(seen));
    return answer;
  }

  private @Nullable Object override(String key) {
    String target = Ruling.subjectTarget(key);
    return overrides.rulings().stream()
        .filter(it -> it.target().equals(target))
        .findFirst()
        .map(RulingBody::of)
        .orElse(null);
  }

  private static double rounded(double number) {
    return Math.round(number * 10) / 10.0;
  }

  private static List<Map<String, Object>> limitStates(
      RunningPolicy policy, String limits, String key) {
    SubjectCall look =
        SubjectCall.of(
                key, policy.reader().read("GET", "/", null, false, "weir", null, null, 1).call())
            .treatment(LOOK);
    AdaptiveVerdict verdict = policy.adaptive(limits).peekAsync(look).join();
    List<Map<String, Object>> states = new ArrayList<>();
    for (LimitStatus status : verdict.base().limits()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", status.name());
      fields.put("capacity", status.limit().capacity());
      fields.put("remaining", status.remaining());
      fields.put(
          "retryAfterMs",
          status.retryAfter().isNever() ? null : status.retryAfter().toDuration().toMillis());
      fields.put("nextPermitAfterMs", status.nextPermitAfter().toMillis());
      fields.put("resetAfterMs", status.resetAfter().toMillis());
      fields.put("source", verdict.base().source().word());
      fields.put("limit", LimitFields.write(status.limit()));
      states.add(fields);
    }
    return states;
  }

  private static List<Map<String, Object>> signals(Explanation why) {
    List<Map<String, Object>> signals = new ArrayList<>();
    why.points()
        .forEach(
            (signal, points) -> {
              Map<String, Object> fields = new LinkedHashMap<>();
              fields.put("signal", signal.word());
              fields.put("points", rounded(points));
              fields.put("words", SignalWords.of(signal));
              signals.add(fields);
            });
    return signals;
  }

  private static List<List<Object>> risks(Optional<SubjectView> seen) {
    return seen.map(SubjectView::risks).orElse(List.of()).stream()
        .map(it -> List.<Object>of(it.atMillis(), rounded(it.risk())))
        .toList();
  }

  Object reset(ServiceRequestContext ctx, @Nullable Object body) {
    Fields fields = new Fields(body, "");
    fields.onlyKnown(List.of(LIMITS, KEY, "reason"));
    String limits = fields.text(LIMITS);
    String key = fields.text(KEY);
    RunningPolicy policy = registry.ownerOf(limits).orElse(null);
    if (policy == null) {
      return Problem.unknownPolicy(limits);
    }
    policy.reset(limits, key).join();
    live.subjects().remove(limits, key);
    String reason = fields.has("reason") ? fields.text("reason") : "";
    overrides
        .noteForgottenAsync(key, Caller.name(ctx), reason.isBlank() ? "not said" : reason)
        .join();
    return Map.of(LIMITS, limits, KEY, key, "reset", true);
  }
}
