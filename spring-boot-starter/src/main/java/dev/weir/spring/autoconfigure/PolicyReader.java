package dev.weir.spring.autoconfigure;

import dev.weir.RateLimitPolicy;
import dev.weir.config.ConfigException;
import dev.weir.config.PolicyFields;
import dev.weir.spring.autoconfigure.WeirProperties.LimitProperties;
import dev.weir.spring.autoconfigure.WeirProperties.Policy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes policies of properties, with errors that name the property. */
final class PolicyReader {

  private PolicyReader() {}

  /** A policy with its own limits. */
  static RateLimitPolicy read(String name, Policy policy) {
    return read(name, policy, policy.limits(), "weir.policies." + name);
  }

  /** A policy with the limits of its plans, by their names. */
  static Map<String, RateLimitPolicy> plans(String name, Policy policy) {
    Map<String, RateLimitPolicy> plans = new LinkedHashMap<>();
    policy
        .plans()
        .forEach(
            (plan, own) ->
                plans.put(
                    plan,
                    read(name, policy, own.limits(), "weir.policies." + name + ".plans." + plan)));
    return plans;
  }

  private static RateLimitPolicy read(
      String name, Policy policy, List<LimitProperties> limits, String path) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (!limits.isEmpty()) {
      fields.put("limits", limits.stream().map(PolicyReader::fields).toList());
    }
    put(fields, "failureMode", policy.failureMode());
    put(fields, "localShare", policy.localShare());
    try {
      return PolicyFields.read(name, fields);
    } catch (ConfigException e) {
      String field = e.field().equals("name") ? "" : e.field();
      String message = String.valueOf(e.getMessage());
      String problem =
          e.field().isEmpty() ? message : message.substring(e.field().length() + ": ".length());
      throw new WeirPropertyException(property(path, field), problem);
    }
  }

  /** A path of fields as Spring writes properties. */
  private static String property(String path, String field) {
    String kebab = field.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    return field.isEmpty() ? path : path + "." + kebab;
  }

  private static Map<String, Object> fields(LimitProperties limit) {
    Map<String, Object> fields = new LinkedHashMap<>();
    put(fields, "name", limit.name());
    put(fields, "algorithm", limit.algorithm());
    put(fields, "capacity", limit.capacity());
    put(fields, "refillTokens", limit.refillTokens());
    put(fields, "refillPeriod", limit.refillPeriod());
    put(fields, "refill", limit.refill());
    put(fields, "limit", limit.limit());
    put(fields, "window", limit.window());
    put(fields, "alignment", limit.alignment());
    put(fields, "leakPermits", limit.leakPermits());
    put(fields, "leakPeriod", limit.leakPeriod());
    put(fields, "mode", limit.mode());
    put(fields, "permits", limit.permits());
    put(fields, "lease", limit.lease());
    put(fields, "unit", limit.unit());
    put(fields, "zone", limit.zone());
    return fields;
  }

  private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, value);
    }
  }
}
