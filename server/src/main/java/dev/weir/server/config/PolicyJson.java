package dev.weir.server.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.config.ConfigException;
import dev.weir.server.policy.DefinitionFields;
import dev.weir.server.policy.PolicyDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Policies as the JSON that a store keeps. */
public final class PolicyJson {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private PolicyJson() {}

  /** Writes policies in their order. */
  static String write(List<PolicyDefinition> policies) {
    try {
      return MAPPER.writeValueAsString(policies.stream().map(PolicyDefinition::fields).toList());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("fields are always JSON", e);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws ConfigException if it is something else, such as that of a later release
   */
  public static List<PolicyDefinition> read(String json) {
    List<?> list;
    try {
      list = MAPPER.readValue(json, List.class);
    } catch (JsonProcessingException e) {
      throw new ConfigException("", "the stored policies are not JSON: " + e.getOriginalMessage());
    }
    return readList(list);
  }

  /**
   * Reads a list of policies.
   *
   * @throws ConfigException for the first mistake
   */
  public static List<PolicyDefinition> readList(List<?> list) {
    List<PolicyDefinition> policies = new ArrayList<>();
    Map<String, Integer> names = new HashMap<>();
    for (int i = 0; i < list.size(); i++) {
      String path = "policies[" + i + "]";
      PolicyDefinition policy;
      try {
        policy = DefinitionFields.read(list.get(i));
      } catch (ConfigException e) {
        String field = e.field().isEmpty() ? path : path + "." + e.field();
        throw new ConfigException(field, DefinitionFields.problem(e));
      }
      Integer other = names.put(policy.name(), i);
      if (other != null) {
        throw new ConfigException(
            path + ".name",
            "'%s' is the name of policies[%d] too; rename one".formatted(policy.name(), other));
      }
      policies.add(policy);
    }
    return policies;
  }
}
