package dev.weir.server.config;

import dev.weir.server.policy.PolicyDefinition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** Policies as the YAML that a file would have. */
public final class PolicyYaml {

  private static final int WIDTH = 100;

  private PolicyYaml() {}

  /** Writes policies; {@link ConfigReader} reads the same ones. */
  public static String write(List<PolicyDefinition> policies) {
    return writeFields(policies.stream().map(PolicyDefinition::fields).toList());
  }

  /** Writes policies that are fields already. */
  public static String writeFields(List<Map<String, Object>> policies) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setIndent(2);
    options.setIndicatorIndent(2);
    options.setIndentWithIndicator(true);
    options.setWidth(WIDTH);
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("policies", policies);
    return new Yaml(options).dump(root);
  }
}
