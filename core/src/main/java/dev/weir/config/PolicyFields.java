package dev.weir.config;

import dev.weir.FailureMode;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimitPolicy.NamedLimit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A policy as fields: {@code limits}, a list of what {@link LimitFields} reads; and what answers
 * when the store does not, {@code failureMode}: {@code open}, {@code closed} or {@code local}
 * (default), the last with a {@code localShare} of more than 0 and at most 1 (default).
 */
public final class PolicyFields {

  private static final String LIMITS = "limits";
  private static final String NAME = "name";
  private static final String FAILURE_MODE = "failureMode";
  private static final String LOCAL_SHARE = "localShare";

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
    fields.onlyKnown(List.of(NAME, LIMITS, FAILURE_MODE, LOCAL_SHARE));
    if (fields.has(NAME) && !fields.text(NAME).equals(name)) {
      throw new ConfigException(
          NAME, "must be '" + name + "' or absent, and was " + Fields.shown(fields.get(NAME)));
    }
    Object limits = fields.get(LIMITS);
    if (limits == null) {
      throw new ConfigException(LIMITS, "is missing; add a list of limits");
    }
    if (!(limits instanceof List<?> list)) {
      throw new ConfigException(LIMITS, "must be a list, and was " + Fields.shown(limits));
    }
    return read(name, list, failureMode(fields));
  }

  private static RateLimitPolicy read(String name, List<?> limits, FailureMode failureMode) {
    if (limits.size() > RateLimitPolicy.MAX_LIMITS) {
      throw new ConfigException(
          LIMITS,
          "must be at most %d limits, and were %d"
              .formatted(RateLimitPolicy.MAX_LIMITS, limits.size()));
    }
    RateLimitPolicy.Builder builder = RateLimitPolicy.builder(name).failureMode(failureMode);
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

  private static FailureMode failureMode(Fields fields) {
    FailureMode.Kind kind =
        fields.word(FAILURE_MODE, FailureMode.Kind.values(), FailureMode.Kind.LOCAL);
    if (!fields.has(LOCAL_SHARE)) {
      return new FailureMode(kind, 1);
    }
    if (kind != FailureMode.Kind.LOCAL) {
      throw new ConfigException(LOCAL_SHARE, "goes with failureMode local only; leave it out");
    }
    Object share = fields.get(LOCAL_SHARE);
    if (!(share instanceof Number number)
        || !(number.doubleValue() > 0)
        || number.doubleValue() > 1) {
      throw new ConfigException(
          LOCAL_SHARE, "must be more than 0 and at most 1, and was " + Fields.shown(share));
    }
    return FailureMode.local(number.doubleValue());
  }

  /** Writes a policy as fields, its name and the names of its limits among them. */
  public static Map<String, Object> write(RateLimitPolicy policy) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(NAME, policy.name());
    fields.put(LIMITS, policy.limits().stream().map(PolicyFields::write).toList());
    FailureMode mode = policy.failureMode();
    if (!mode.equals(FailureMode.local())) {
      fields.put(FAILURE_MODE, Fields.word(mode.kind()));
      if (mode.kind() == FailureMode.Kind.LOCAL) {
        fields.put(LOCAL_SHARE, mode.share());
      }
    }
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
