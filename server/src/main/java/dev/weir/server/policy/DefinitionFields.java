package dev.weir.server.policy;

import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.config.AdaptiveFields;
import dev.weir.config.ConfigException;
import dev.weir.config.Fields;
import dev.weir.config.PolicyFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A policy of the service as fields: those of {@link PolicyFields}, and {@code match}, {@code key},
 * {@code cost}, {@code costs}, {@code mode}, {@code adaptive} and {@code plans}.
 */
public final class DefinitionFields {

  private static final String NAME = "name";
  private static final String MATCH = "match";
  private static final String KEY = "key";
  private static final String COST = "cost";
  private static final String COSTS = "costs";
  private static final String MODE = "mode";
  private static final String LIMITS = "limits";
  private static final String ADAPTIVE = "adaptive";
  private static final String PLANS = "plans";
  private static final String BY = "by";
  private static final int MOST_COSTS = 64;
  private static final int MOST_PLANS = 16;
  private static final List<String> OF_LIMITS = List.of(LIMITS, "failureMode", "localShare");
  private static final List<String> KNOWN =
      List.of(
          NAME,
          MATCH,
          KEY,
          COST,
          COSTS,
          MODE,
          LIMITS,
          "failureMode",
          "localShare",
          ADAPTIVE,
          PLANS);

  private enum Mode {
    ENFORCE,
    SHADOW
  }

  private DefinitionFields() {}

  /** A policy that is used by its name only. */
  public static PolicyDefinition of(RateLimitPolicy limits) {
    return read(limits.name(), PolicyFields.write(limits));
  }

  /** Reads a policy whose name is among the fields. */
  public static PolicyDefinition read(@Nullable Object object) {
    Fields fields = new Fields(object, "");
    return read(fields.text(NAME), object);
  }

  /**
   * Reads a policy.
   *
   * @param name its name; a {@code name} among the fields must be the same
   * @throws ConfigException if a field is missing, unknown, of a wrong type or out of range
   */
  public static PolicyDefinition read(String name, @Nullable Object object) {
    Fields fields = new Fields(object, "");
    fields.onlyKnown(KNOWN);
    Optional<RequestMatch> match =
        fields.has(MATCH)
            ? Optional.of(MatchFields.readAny(fields.get(MATCH), MATCH))
            : Optional.empty();
    KeyRule key = fields.has(KEY) ? key(fields) : KeyRule.STANDARD;
    long cost = fields.has(COST) ? fields.wholeNumber(COST, 0, Limit.MAX_PERMITS) : 1;
    List<CostRule> costs = fields.has(COSTS) ? costs(fields) : List.of();
    boolean isShadow = fields.word(MODE, Mode.values(), Mode.ENFORCE) == Mode.SHADOW;
    RateLimitPolicy limits = PolicyFields.read(name, ofLimits(fields, true));
    AdaptivePolicy adaptive =
        fields.has(ADAPTIVE)
            ? AdaptiveFields.read(fields.get(ADAPTIVE), ADAPTIVE)
            : AdaptivePolicy.builder().mode(AdaptivePolicy.Mode.OFF).build();
    Plans plans = fields.has(PLANS) ? plans(name, fields) : Plans.NONE;
    return new PolicyDefinition(
        limits, match, key, cost, costs, isShadow, adaptive, plans, written(limits, fields));
  }

  private static Map<String, @Nullable Object> ofLimits(Fields fields, boolean withName) {
    Map<String, @Nullable Object> part = new LinkedHashMap<>();
    if (withName && fields.has(NAME)) {
      part.put(NAME, fields.get(NAME));
    }
    OF_LIMITS.stream().filter(fields::has).forEach(it -> part.put(it, fields.get(it)));
    return part;
  }

  private static KeyRule key(Fields fields) {
    Object value = fields.get(KEY);
    List<?> texts = value instanceof List<?> list ? list : List.of(fields.text(KEY));
    if (texts.isEmpty() || texts.size() > KeyRule.MOST_PARTS) {
      throw new ConfigException(
          KEY,
          "must have from 1 to %d parts, and had %d".formatted(KeyRule.MOST_PARTS, texts.size()));
    }
    List<KeyPart> parts = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      KeyPart part = part(value instanceof List ? KEY + "[" + i + "]" : KEY, texts.get(i));
      if (parts.contains(part)) {
        throw new ConfigException(KEY, "has the part '" + part + "' twice; leave one out");
      }
      parts.add(part);
    }
    return new KeyRule(parts);
  }

  private static KeyPart part(String path, @Nullable Object text) {
    try {
      return KeyPart.parse(text instanceof String given ? given : Fields.shown(text));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(path, String.valueOf(e.getMessage()));
    }
  }

  private static List<CostRule> costs(Fields fields) {
    List<?> list = MatchFields.list(fields.get(COSTS), COSTS, MOST_COSTS);
    List<CostRule> costs = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      String path = COSTS + "[" + i + "]";
      Fields rule = new Fields(list.get(i), path);
      long cost = rule.wholeNumber(COST, 0, Limit.MAX_PERMITS);
      costs.add(new CostRule(MatchFields.read(list.get(i), path, List.of(COST)), cost));
    }
    return costs;
  }

  private static Plans plans(String name, Fields fields) {
    Fields plans = new Fields(fields.get(PLANS), PLANS);
    plans.onlyKnown(List.of(BY, LIMITS));
    KeyPart by = part(PLANS + "." + BY, plans.text(BY));
    String path = PLANS + "." + LIMITS;
    if (!(plans.get(LIMITS) instanceof Map<?, ?> map) || map.isEmpty() || map.size() > MOST_PLANS) {
      throw new ConfigException(
          path, "must be an object of 1 to " + MOST_PLANS + " plans, each with a list of limits");
    }
    Map<String, RateLimitPolicy> limits = new LinkedHashMap<>();
    map.forEach(
        (plan, list) ->
            limits.put(
                String.valueOf(plan), ofPlan(name + "." + plan, path + "." + plan, list, fields)));
    return new Plans(by, limits);
  }

  /** A plan's limits are a policy of their own, called after both. */
  private static RateLimitPolicy ofPlan(
      String name, String path, @Nullable Object limits, Fields fields) {
    Map<String, @Nullable Object> policy = ofLimits(fields, false);
    policy.put(LIMITS, limits);
    try {
      return PolicyFields.read(name, policy);
    } catch (ConfigException e) {
      String problem = problem(e);
      if (e.field().equals(NAME)) {
        throw new ConfigException(path, problem);
      }
      throw new ConfigException(path + e.field().substring(LIMITS.length()), problem);
    }
  }

  /** What is wrong, without the field. */
  public static String problem(ConfigException e) {
    String message = String.valueOf(e.getMessage());
    return e.field().isEmpty() ? message : message.substring(e.field().length() + 2);
  }

  private static Map<String, Object> written(RateLimitPolicy limits, Fields fields) {
    Map<String, Object> ofLimits = PolicyFields.write(limits);
    Map<String, Object> written = new LinkedHashMap<>();
    written.put(NAME, limits.name());
    for (String name : KNOWN) {
      Object given = fields.get(name);
      if (ofLimits.containsKey(name)) {
        written.put(name, ofLimits.get(name));
      } else if (given != null && !OF_LIMITS.contains(name)) {
        written.put(name, given);
      }
    }
    return java.util.Collections.unmodifiableMap(written);
  }
}
