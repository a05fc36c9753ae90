package dev.weir.server.config;

import dev.weir.adaptive.Cidr;
import dev.weir.config.ConfigException;
import dev.weir.config.Fields;
import dev.weir.server.policy.DefinitionFields;
import dev.weir.server.policy.PolicyDefinition;
import dev.weir.server.policy.PolicyRegistry;
import dev.weir.server.security.ApiKey;
import dev.weir.server.security.Role;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the text of a file, and finds every mistake in it. Pure. */
public final class ConfigReader {

  private static final String POLICIES = "policies";
  private static final String TRUSTED_PROXIES = "trustedProxies";
  private static final String API_KEYS = "apiKeys";

  private final YamlTree tree;
  private final List<Mistake> mistakes = new ArrayList<>();

  private ConfigReader(YamlTree tree) {
    this.tree = tree;
  }

  /**
   * What came of reading.
   *
   * @param config what the file says; that of an empty file if there are mistakes
   * @param mistakes what is wrong, in the order of the file; empty if the file can be used
   */
  public record Result(ServiceConfig config, List<Mistake> mistakes) {

    /** Whether the file can be used. */
    public boolean isGood() {
      return mistakes.isEmpty();
    }
  }

  /** Reads a text, YAML or JSON. */
  public static Result read(String text) {
    YamlTree tree = YamlTree.read(text);
    ConfigReader reader = new ConfigReader(tree);
    reader.mistakes.addAll(tree.mistakes());
    ServiceConfig config = ServiceConfig.EMPTY;
    if (tree.mistakes().isEmpty() || tree.root() != null) {
      config = reader.config();
    }
    List<Mistake> found =
        reader.mistakes.stream()
            .distinct()
            .sorted(Comparator.comparingInt(Mistake::line).thenComparingInt(Mistake::column))
            .toList();
    return new Result(found.isEmpty() ? config : ServiceConfig.EMPTY, found);
  }

  private ServiceConfig config() {
    if (tree.root() == null) {
      told("", "the file says nothing; write policies: and a list of them");
      return ServiceConfig.EMPTY;
    }
    if (!(tree.root() instanceof Map<?, ?> root)) {
      told("", "must be an object with the field policies, and was " + Fields.shown(tree.root()));
      return ServiceConfig.EMPTY;
    }
    AllMistakes.read(
        root,
        it -> {
          new Fields(it, "").onlyKnown(List.of(POLICIES, TRUSTED_PROXIES, API_KEYS));
          return "";
        },
        this::told);
    if (root.get(POLICIES) == null && root.get(API_KEYS) == null) {
      told(POLICIES, "is missing; write a list of policies, each with a name and limits");
    }
    List<PolicyDefinition> policies = entries(root.get(POLICIES), POLICIES, DefinitionFields::read);
    checkNames(root.get(POLICIES), policies);
    return new ServiceConfig(
        policies,
        entries(root.get(TRUSTED_PROXIES), TRUSTED_PROXIES, ConfigReader::cidr),
        entries(root.get(API_KEYS), API_KEYS, ConfigReader::apiKey));
  }

  private <T> List<T> entries(
      @Nullable Object value, String path, Function<@Nullable Object, T> reader) {
    List<T> read = new ArrayList<>();
    if (value == null) {
      return read;
    }
    if (!(value instanceof List<?> list)) {
      told(path, "must be a list, and was " + Fields.shown(value));
      return read;
    }
    for (int i = 0; i < list.size(); i++) {
      String entry = path + "[" + i + "]";
      AllMistakes.read(list.get(i), reader, (field, problem) -> told(join(entry, field), problem))
          .ifPresent(read::add);
    }
    return read;
  }

  private static String join(String entry, String field) {
    return field.isEmpty() ? entry : entry + "." + field;
  }

  private static Cidr cidr(@Nullable Object value) {
    try {
      return Cidr.parse(value instanceof String text ? text : Fields.shown(value));
    } catch (IllegalArgumentException e) {
      throw new ConfigException("", String.valueOf(e.getMessage()));
    }
  }

  private static ApiKey apiKey(@Nullable Object value) {
    Fields fields = new Fields(value, "");
    fields.onlyKnown(List.of("name", "role", "hash"));
    String name = fields.text("name");
    Role role = fields.word("role", Role.values(), null);
    try {
      return new ApiKey(name, role, fields.text("hash"));
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      throw new ConfigException(message.startsWith("name") ? "name" : "hash", message);
    }
  }

  /** Names are told as they are written, so that two policies with other mistakes are told too. */
  private void checkNames(@Nullable Object written, List<PolicyDefinition> policies) {
    Map<String, String> known = new HashMap<>();
    List<?> list = written instanceof List<?> some ? some : List.of();
    if (list.size() > PolicyRegistry.MAX_POLICIES) {
      told(
          POLICIES,
          "must be at most %d policies, and were %d"
              .formatted(PolicyRegistry.MAX_POLICIES, list.size()));
    }
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) instanceof Map<?, ?> policy && policy.get("name") instanceof String name) {
        String path = POLICIES + "[" + i + "].name";
        String first = known.putIfAbsent(name, path);
        if (first != null) {
          told(
              path,
              "'%s' is the name of another policy too, on line %d; rename one"
                  .formatted(name, tree.value(first).line()));
        }
      }
    }
    for (PolicyDefinition policy : policies) {
      for (String plan : policy.plans().limits().keySet()) {
        String path = known.get(policy.name() + "." + plan);
        if (path != null) {
          told(
              path,
              "'%s.%s' is what the plan '%s' of policy '%s' is called; rename this policy"
                  .formatted(policy.name(), plan, plan, policy.name()));
        }
      }
    }
  }

  private void told(String path, String problem) {
    boolean isAboutName = problem.startsWith("there is no such field");
    Place place = isAboutName ? tree.key(path) : tree.value(path);
    mistakes.add(new Mistake(place.line(), place.column(), path, problem));
  }
}
