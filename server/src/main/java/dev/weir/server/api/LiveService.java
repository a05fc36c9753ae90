package dev.weir.server.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.weir.server.config.ConfigFile;
import dev.weir.server.config.PolicyManager;
import dev.weir.server.live.Anomaly;
import dev.weir.server.live.Figure;
import dev.weir.server.live.Live;
import dev.weir.server.live.LiveFigures;
import dev.weir.server.live.StoreHealth;
import dev.weir.server.policy.LimiterFactory;
import dev.weir.server.policy.PolicyRegistry;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /v1/admin/status}, {@code /live} and {@code /anomalies}: what this process saw. */
public final class LiveService {

  private static final int STEPS_PER_MINUTE = 6;

  private final Live live;
  private final StoreHealth health;
  private final LimiterFactory store;
  private final PolicyRegistry registry;
  private final PolicyManager manager;
  private final Supplier<Optional<ConfigFile>> config;
  private final InstantSource clock;

  /** Tells of those. */
  public LiveService(
      Live live,
      StoreHealth health,
      LimiterFactory store,
      PolicyRegistry registry,
      PolicyManager manager,
      Supplier<Optional<ConfigFile>> config,
      InstantSource clock) {
    this.live = live;
    this.health = health;
    this.store = store;
    this.registry = registry;
    this.manager = manager;
    this.config = config;
    this.clock = clock;
  }

  Object status(ServiceRequestContext ctx) {
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("nowMillis", clock.millis());
    status.put("me", Map.of("name", Caller.name(ctx), "role", Caller.role(ctx).word()));
    Map<String, Object> ofStore = new LinkedHashMap<>();
    ofStore.put("name", store.describe());
    ofStore.put("isLocal", store.isLocal());
    ofStore.put("isUp", health.isUp());
    ofStore.put("sinceMillis", health.sinceMillis());
    ofStore.put("lastMicros", health.lastMicros());
    status.put("store", ofStore);
    status.put("policies", registry.policies().size());
    status.put("version", manager.version());
    status.put("subjects", live.subjects().size());
    status.put("mostSubjects", Live.MOST_SUBJECTS);
    status.put("selfCheck", registry.check().reason().orElse(null));
    status.put("config", config.get().map(LiveService::of).orElse(null));
    return status;
  }

  private static Map<String, Object> of(ConfigFile file) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("file", file.path().toString());
    fields.put("loadedAtMillis", file.loadedAtMillis());
    fields.put("loads", file.loads());
    fields.put("failures", file.failures());
    fields.put("mistakes", DraftService.mistakes(file.mistakes()));
    return fields;
  }

  /** Whoever has looked lets the adaptive layer enforce again. */
  Object clearSelfCheck(ServiceRequestContext ctx, @Nullable Object body) {
    registry.check().clear();
    return Map.of("cleared", true);
  }

  Object figures(ServiceRequestContext ctx) {
    int minutes = Parameters.number(ctx, "minutes", 30, 1, 30);
    int steps = minutes * STEPS_PER_MINUTE;
    long now = clock.millis();
    Map<String, Object> policies = new LinkedHashMap<>();
    for (String policy : live.policyNames()) {
      Map<String, Object> figures = new LinkedHashMap<>();
      for (Figure figure : Figure.values()) {
        figures.put(figure.word(), live.figures().last(policy, figure, steps, now));
      }
      policies.put(policy, figures);
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("nowMillis", now);
    answer.put("stepMillis", LiveFigures.STEP_MILLIS);
    answer.put("steps", steps);
    answer.put("policies", policies);
    answer.put("storeMicros", health.worstMicros(steps));
    return answer;
  }

  Object anomalies(ServiceRequestContext ctx) {
    List<Anomaly> anomalies = live.anomalies(Parameters.number(ctx, "limit", 50, 1, 1_000));
    return Map.of("anomalies", anomalies.stream().map(LiveService::of).toList());
  }

  private static Map<String, Object> of(Anomaly anomaly) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("atMillis", anomaly.atMillis());
    fields.put("policy", anomaly.policy());
    fields.put("limits", anomaly.limits());
    fields.put("key", anomaly.key());
    fields.put("from", anomaly.from().word());
    fields.put("to", anomaly.to().word());
    fields.put("risk", Math.round(anomaly.risk()));
    fields.put("why", anomaly.why());
    return fields;
  }
}
