package dev.weir.server.api;

import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.weir.adaptive.ManualOverride;
import dev.weir.adaptive.Tier;
import dev.weir.config.ConfigException;
import dev.weir.config.Fields;
import dev.weir.server.override.HandDecision;
import dev.weir.server.override.HandDecisions;
import dev.weir.server.policy.OverrideStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /v1/admin/overrides} and {@code /audit}: what somebody decides by hand. */
public final class OverrideService {

  private static final String SUBJECT = "subject";
  private static final String RANGE = "range";
  private static final String REASON = "reason";
  private static final String EXPIRES_AFTER = "expiresAfter";
  private static final Duration LONGEST = Duration.ofDays(3_650);

  private final HandDecisions decisions;
  private final InstantSource clock;

  /** Tells and changes those. */
  public OverrideService(HandDecisions decisions, InstantSource clock) {
    this.decisions = decisions;
    this.clock = clock;
  }

  Object list(ServiceRequestContext ctx) {
    return Map.of("overrides", decisions.all().stream().map(HandDecisions::fields).toList());
  }

  Object audit(ServiceRequestContext ctx) {
    return Map.of(
        "lines",
        decisions.trail(Parameters.number(ctx, "limit", 100, 1, OverrideStore.MOST_LINES)));
  }

  Object put(ServiceRequestContext ctx, @Nullable Object body) {
    Fields fields = new Fields(body, "");
    fields.onlyKnown(List.of(SUBJECT, RANGE, "kind", "tier", REASON, EXPIRES_AFTER));
    boolean isRange = isRange(fields);
    ManualOverride.Kind kind = fields.word("kind", ManualOverride.Kind.values(), null);
    Tier tier =
        kind == ManualOverride.Kind.PIN ? fields.word("tier", Tier.values(), null) : Tier.NORMAL;
    long now = clock.millis();
    long until =
        fields.has(EXPIRES_AFTER)
            ? now + fields.duration(EXPIRES_AFTER, Duration.ofSeconds(1), LONGEST).toMillis()
            : 0;
    HandDecision decision;
    try {
      decision =
          new HandDecision(
              fields.text(isRange ? RANGE : SUBJECT),
              isRange,
              kind,
              tier,
              Caller.name(ctx),
              fields.text(REASON),
              now,
              until);
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      String field =
          message.startsWith(REASON)
              ? REASON
              : message.startsWith("kind") ? "kind" : isRange ? RANGE : SUBJECT;
      throw new ConfigException(field, message);
    }
    if (!decisions.put(decision)) {
      return new Problem(
          HttpStatus.CONFLICT,
          "There are too many overrides",
          "there are "
              + OverrideStore.MOST_TARGETS
              + " overrides, the most there can be; remove some first",
          "");
    }
    return HandDecisions.fields(decision);
  }

  private static boolean isRange(Fields fields) {
    if (fields.has(SUBJECT) == fields.has(RANGE)) {
      throw new ConfigException(SUBJECT, "either subject or range must be there, and not both");
    }
    return fields.has(RANGE);
  }

  Object remove(ServiceRequestContext ctx, @Nullable Object body) {
    Fields fields = new Fields(body, "");
    fields.onlyKnown(List.of(SUBJECT, RANGE, REASON));
    boolean isRange = isRange(fields);
    String target = fields.text(isRange ? RANGE : SUBJECT);
    String reason = fields.has(REASON) ? fields.text(REASON) : "";
    if (!decisions.remove(target, isRange, Caller.name(ctx), reason)) {
      return new Problem(
          HttpStatus.NOT_FOUND,
          "There is no such override",
          "nothing was decided about '%s'; GET /v1/admin/overrides lists what was"
              .formatted(target),
          "");
    }
    return Map.of("removed", true);
  }
}
