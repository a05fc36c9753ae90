package dev.weir.server.api;

import dev.weir.adaptive.AddressRule;
import dev.weir.adaptive.ManualOverride;
import dev.weir.adaptive.Ruling;
import dev.weir.adaptive.RulingChange;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What was decided by hand, as fields of an answer. */
final class RulingBody {

  private static final long MICROS_PER_MILLI = 1_000;
  private static final String SUBJECT = "subject:";

  private RulingBody() {}

  static Map<String, Object> of(Ruling ruling) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (ruling instanceof ManualOverride override) {
      fields.put("subject", override.subject());
      fields.put("kind", override.kind().name().toLowerCase(Locale.ROOT));
      if (override.kind() == ManualOverride.Kind.PIN) {
        fields.put("tier", override.tier().word());
      }
    } else if (ruling instanceof AddressRule rule) {
      fields.put("range", rule.range().toString());
      fields.put("kind", rule.isDenied() ? "block" : "allow");
    }
    fields.put("author", ruling.author());
    fields.put("reason", ruling.reason());
    fields.put("sinceMillis", ruling.sinceMicros() / MICROS_PER_MILLI);
    fields.put("untilMillis", ruling.untilMicros().map(it -> it / MICROS_PER_MILLI).orElse(null));
    return fields;
  }

  static Map<String, Object> of(RulingChange change) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("atMillis", change.atMicros() / MICROS_PER_MILLI);
    fields.put("action", change.kind().name().toLowerCase(Locale.ROOT));
    change.ruling().ifPresent(ruling -> fields.putAll(of(ruling)));
    if (change.ruling().isEmpty() && change.target().startsWith(SUBJECT)) {
      fields.put("subject", change.target().substring(SUBJECT.length()));
    }
    // Who lifted it, and not who had made it.
    fields.put("author", change.author());
    fields.put("reason", change.reason());
    return fields;
  }
}
