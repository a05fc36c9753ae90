package dev.weir.config;

import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimitPolicy.NamedLimit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A policy as fields: {@code limits}, a list of what {@link LimitFields} reads. */
public final class PolicyFields {

  private static final String LIMITS = "limits";
  private static final String NAME = "name";

  private PolicyFields() {}

  /**
   * Reads a policy.
   *
   * @param name the policy's name
   * @param object what a JSON or YAML reader gave; a {@code name} in it must be the same
   * @throws ConfigException if a field is missing, unknown, of a wrong type or out of range
   */
  public static RateLimitPolicy read(String name, @Nullable Object object) {
    Fields fields = new Fields(object, "");
    fields.onlyKnown(List.of(NAME, LIMITS));
    if (fields.has(NAME) && !fields.text(NAME).equals(name)) {
      throw new ConfigException(
          NAME, "must be '" + name + "' or absent, and was " + Fields.shown(fields.get(NAME)));
    }
    Object limits = fields.get(LIMITS);
    if (limits == null) {
      throw new ConfigException(LIMITS, "is missing");
    }
    if (!(limits instanceof List<?> list)) {
      throw new ConfigException(LIMITS, "must be a list, and was " + Fields.shown(limits));
    }
    return read(name, list);
  }

  private static RateLimitPolicy read(String name, List<?> limits) {
    if (limits.size() > RateLimitPolicy.MAX_LIMITS) {
      throw new ConfigException(
          LIMITS,
          "must be at most %d limits, and were %d"
              .formatted(RateLimitPolicy.MAX_LIMITS, limits.size()));
    }
    RateLimitPolicy.Builder builder = RateLimitPolicy.builder(name);
    for (int i = 0; i < limits.size(); i++) {
      String path = LIMITS + "[" + i + "]";
      Limit limit = LimitFields.read(limits.get(i), path);
      Fields fields = new Fields(limits.get(i), path);
      if (fields.has(NAME)) {
        builder.limit(fields.text(NAME), limit);
      } else {
        builder.limit(limit);
      }
    }
    try {
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw ConfigException.of(
          String.valueOf(e.getMessage()).startsWith("the name of a policy") ? NAME : LIMITS, e);
    }
  }

  /** Writes a policy as fields, its name and the names of its limits among them. */
  public static Map<String, Object> write(RateLimitPolicy policy) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(NAME, policy.name());
    fields.put(LIMITS, policy.limits().stream().map(PolicyFields::write).toList());
    return fields;
  }

  private static Map<String, Object> write(NamedLimit named) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (named.isNamed()) {
      fields.put(LimitFields.NAME, named.name());
    }
    fields.putAll(LimitFields.write(named.limit()));
    return fields;
  }
}
