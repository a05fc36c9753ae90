package dev.weir.config;

import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AdaptivePolicy.Mode;
import dev.weir.adaptive.Setting;
import dev.weir.adaptive.Tripwires;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a policy adapts, as fields: {@code mode} ({@code off}, {@code shadow}, the default, or {@code
 * enforce}), {@code percentage}, {@code tripwires} (a list of patterns), and every {@link Setting}
 * by its name. A duration is a number of seconds or a text such as {@code 2m}.
 */
public final class AdaptiveFields {

  private static final String MODE = "mode";
  private static final String PERCENTAGE = "percentage";
  private static final String TRIPWIRES = "tripwires";

  private AdaptiveFields() {}

  /**
   * Reads how a policy adapts.
   *
   * @param object what a JSON or YAML reader gave
   * @param path the path of the object, for errors
   * @throws ConfigException if a field is unknown, of a wrong type or out of range
   */
  public static AdaptivePolicy read(@Nullable Object object, String path) {
    Fields fields = new Fields(object, path);
    List<String> known = new ArrayList<>(List.of(MODE, PERCENTAGE, TRIPWIRES));
    Arrays.stream(Setting.values()).map(Setting::word).forEach(known::add);
    fields.onlyKnown(known);
    AdaptivePolicy.Builder builder =
        AdaptivePolicy.builder().mode(fields.word(MODE, Mode.values(), Mode.SHADOW));
    if (fields.has(PERCENTAGE)) {
      builder.percentage((int) fields.wholeNumber(PERCENTAGE, 0, 100));
    }
    if (fields.has(TRIPWIRES)) {
      builder.tripwires(tripwires(fields));
    }
    for (Setting setting : Setting.values()) {
      if (fields.has(setting.word())) {
        set(builder, setting, fields);
      }
    }
    try {
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw ConfigException.of(path, e);
    }
  }

  private static void set(AdaptivePolicy.Builder builder, Setting setting, Fields fields) {
    try {
      builder.set(setting, number(fields.get(setting.word()), setting, fields));
    } catch (IllegalArgumentException e) {
      throw ConfigException.of(fields.path(setting.word()), e);
    }
  }

  private static double number(@Nullable Object value, Setting setting, Fields fields) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    if (value instanceof String text && setting.isDuration()) {
      Duration duration = DurationText.parse(text);
      return duration.toSeconds() + duration.toNanosPart() / 1e9;
    }
    throw new ConfigException(
        fields.path(setting.word()), "must be a number, and was " + Fields.shown(value));
  }

  private static Tripwires tripwires(Fields fields) {
    if (!(fields.get(TRIPWIRES) instanceof List<?> list)) {
      throw new ConfigException(
          fields.path(TRIPWIRES), "must be a list, and was " + Fields.shown(fields.get(TRIPWIRES)));
    }
    try {
      return Tripwires.of(list.stream().map(String::valueOf).toList());
    } catch (IllegalArgumentException e) {
      throw ConfigException.of(fields.path(TRIPWIRES), e);
    }
  }

  /** Writes what differs from the defaults as the fields that {@link #read} reads. */
  public static Map<String, Object> write(AdaptivePolicy policy) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(MODE, Fields.word(policy.mode()));
    if (policy.percentage() != 100) {
      fields.put(PERCENTAGE, policy.percentage());
    }
    fields.putAll(policy.changed());
    if (!policy.tripwires().equals(Tripwires.standard())) {
      fields.put(TRIPWIRES, policy.tripwires().patterns());
    }
    return fields;
  }
}
