package dev.weir.server.api;

import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.weir.adaptive.AddressRule;
import dev.weir.adaptive.Cidr;
import dev.weir.adaptive.ManualOverride;
import dev.weir.adaptive.OverrideStore;
import dev.weir.adaptive.Ruling;
import dev.weir.adaptive.Tier;
import dev.weir.config.ConfigException;
import dev.weir.config.Fields;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
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

  private final OverrideStore store;

  /** Tells and changes those of a store. */
  public OverrideService(OverrideStore store) {
    this.store = store;
  }

  /** Kinds of decisions about a range. */
  private enum OfRange {
    ALLOW,
    BLOCK
  }

  Object list(ServiceRequestContext ctx) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put(
        "overrides",
        store.rulings().stream()
            .sorted(Comparator.comparingLong(Ruling::sinceMicros).reversed())
            .map(RulingBody::of)
            .toList());
    answer.put("problem", store.problem().orElse(null));
    return answer;
  }

  Object audit(ServiceRequestContext ctx) {
    int limit = Parameters.number(ctx, "limit", 100, 1, OverrideStore.MOST_CHANGES);
    return Map.of(
        "lines", store.changesAsync().join().stream().limit(limit).map(RulingBody::of).toList());
  }

  /** May wait for the store. */
  Object put(ServiceRequestContext ctx, @Nullable Object body) {
    Fields fields = new Fields(body, "");
    fields.onlyKnown(List.of(SUBJECT, RANGE, "kind", "tier", REASON, EXPIRES_AFTER));
    Ruling ruling;
    try {
      ruling =
          isRange(fields) ? rule(fields, Caller.name(ctx)) : override(fields, Caller.name(ctx));
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      throw new ConfigException(message.contains("reason") ? REASON : SUBJECT, message);
    }
    if (fields.has(EXPIRES_AFTER)) {
      ruling = ruling.lasting(fields.duration(EXPIRES_AFTER, Duration.ofSeconds(1), LONGEST));
    }
    return RulingBody.of(store.setAsync(ruling).join());
  }

  private static Ruling rule(Fields fields, String author) {
    Cidr range = range(fields);
    String reason = fields.text(REASON);
    return fields.word("kind", OfRange.values(), null) == OfRange.BLOCK
        ? AddressRule.deny(range, author, reason)
        : AddressRule.allow(range, author, reason);
  }

  private static Cidr range(Fields fields) {
    try {
      return Cidr.parse(fields.text(RANGE));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(RANGE, String.valueOf(e.getMessage()));
    }
  }

  private static Ruling override(Fields fields, String author) {
    String subject = fields.text(SUBJECT);
    ManualOverride.Kind kind = fields.word("kind", ManualOverride.Kind.values(), null);
    String reason = fields.text(REASON);
    return switch (kind) {
      case ALLOW -> ManualOverride.allow(subject, author, reason);
      case BLOCK -> ManualOverride.block(subject, author, reason);
      case PIN ->
          ManualOverride.pin(subject, fields.word("tier", Tier.values(), null), author, reason);
    };
  }

  private static boolean isRange(Fields fields) {
    if (fields.has(SUBJECT) == fields.has(RANGE)) {
      throw new ConfigException(SUBJECT, "either subject or range must be there, and not both");
    }
    return fields.has(RANGE);
  }

  /** May wait for the store. */
  Object remove(ServiceRequestContext ctx, @Nullable Object body) {
    Fields fields = new Fields(body, "");
    fields.onlyKnown(List.of(SUBJECT, RANGE, REASON));
    String target =
        isRange(fields)
            ? Ruling.rangeTarget(range(fields))
            : Ruling.subjectTarget(fields.text(SUBJECT));
    String reason = fields.has(REASON) ? fields.text(REASON) : "not said";
    if (store.liftAsync(target, Caller.name(ctx), reason).join().isEmpty()) {
      return new Problem(
          HttpStatus.NOT_FOUND,
          "There is no such override",
          "nothing was decided about %s; GET /v1/admin/overrides lists what was".formatted(target),
          "");
    }
    return Map.of("removed", true);
  }
}
