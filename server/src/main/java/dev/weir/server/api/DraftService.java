package dev.weir.server.api;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.weir.adaptive.AddressList;
import dev.weir.config.ConfigException;
import dev.weir.config.Fields;
import dev.weir.server.config.ConfigReader;
import dev.weir.server.config.Mistake;
import dev.weir.server.config.PolicyManager;
import dev.weir.server.config.PolicyYaml;
import dev.weir.server.decide.AttributesFields;
import dev.weir.server.decide.ByHand;
import dev.weir.server.decide.Decider;
import dev.weir.server.decide.RequestDecision;
import dev.weir.server.draft.Comparison;
import dev.weir.server.draft.TextDiff;
import dev.weir.server.live.Live;
import dev.weir.server.policy.LimiterFactory;
import dev.weir.server.policy.PolicyDefinition;
import dev.weir.server.policy.PolicyRegistry;
import dev.weir.server.policy.PolicyVersion;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Policies that are set through the interface: their versions, and drafts of the next one. */
public final class DraftService {

  private static final String TEXT = "text";
  private static final String VERSION = "version";
  private static final String NOTE = "note";
  private static final String REQUEST = "request";
  private static final String MINUTES = "minutes";
  private static final int MOST_DIFFERENCES = 50;
  private static final int LONGEST_NOTE = 500;
  private static final long MICROS_PER_MINUTE = 60_000_000;
  private static final long MICROS_PER_MILLI = 1_000;

  private final PolicyManager manager;
  private final LimiterFactory store;
  private final Live live;
  private final ByHand byHand;
  private final InstantSource clock;

  /** Drafts for those policies. */
  public DraftService(
      PolicyManager manager, LimiterFactory store, Live live, ByHand byHand, InstantSource clock) {
    this.manager = manager;
    this.store = store;
    this.live = live;
    this.byHand = byHand;
    this.clock = clock;
  }

  Object policies(ServiceRequestContext ctx) {
    List<Map<String, Object>> running = new ArrayList<>();
    for (PolicyDefinition policy : manager.running(manager.stored())) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", policy.name());
      fields.put("source", manager.sourceOf(policy.name()));
      fields.put("fields", policy.fields());
      running.add(fields);
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put(VERSION, manager.version());
    answer.put(TEXT, PolicyYaml.write(manager.stored()));
    answer.put("policies", running);
    return answer;
  }

  Object versions(ServiceRequestContext ctx) {
    return Map.of(
        "current",
        manager.version(),
        "versions",
        manager.versions().stream().map(DraftService::of).toList());
  }

  private static Map<String, Object> of(PolicyVersion version) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("number", version.number());
    fields.put("author", version.author());
    fields.put(NOTE, version.note());
    fields.put("atMillis", version.atMillis());
    return fields;
  }

  Object version(ServiceRequestContext ctx) {
    String asked = String.valueOf(ctx.pathParam("number"));
    for (PolicyVersion version : manager.versions()) {
      if (Long.toString(version.number()).equals(asked)) {
        Map<String, Object> fields = of(version);
        String text = PolicyYaml.writeFields(manager.policiesOf(version.number()));
        fields.put(TEXT, text);
        fields.put(
            "diff", diff(PolicyYaml.writeFields(manager.policiesOf(version.number() - 1)), text));
        return fields;
      }
    }
    return Problem.of(PolicyManager.Outcome.UNKNOWN, asked);
  }

  Object validate(ServiceRequestContext ctx, @Nullable Object body) {
    Fields fields = new Fields(body, "");
    fields.onlyKnown(List.of(TEXT));
    ConfigReader.Result draft = read(fields);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("isGood", draft.isGood());
    answer.put("mistakes", mistakes(draft.mistakes()));
    answer.put("policies", draft.config().policies().size());
    return answer;
  }

  static List<Map<String, Object>> mistakes(List<Mistake> mistakes) {
    List<Map<String, Object>> told = new ArrayList<>();
    for (Mistake mistake : mistakes) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("line", mistake.line());
      fields.put("column", mistake.column());
      fields.put("field", mistake.field());
      fields.put("message", mistake.message());
      told.add(fields);
    }
    return told;
  }

  /** Reads a draft, and finds what only this service can know. */
  private ConfigReader.Result read(Fields fields) {
    ConfigReader.Result draft = ConfigReader.read(fields.text(TEXT));
    List<Mistake> more = new ArrayList<>(draft.mistakes());
    if (!draft.config().apiKeys().isEmpty() || !draft.config().trustedProxies().isEmpty()) {
      more.add(
          new Mistake(
              1, 1, "", "only policies are set here; keys and proxies are set in the file"));
    }
    for (PolicyDefinition policy : draft.config().policies()) {
      if (manager.isInFile(policy.name())) {
        more.add(
            new Mistake(
                1,
                1,
                policy.name(),
                "is a policy of the file; change it there, or rename this one"));
      }
    }
    return new ConfigReader.Result(draft.config(), more);
  }

  /** The policies of a draft that is good. */
  private List<PolicyDefinition> good(Fields fields) {
    ConfigReader.Result draft = read(fields);
    if (!draft.isGood()) {
      throw new ConfigException(TEXT, draft.mistakes().get(0).in("draft"));
    }
    return draft.config().policies();
  }

  Object diff(ServiceRequestContext ctx, @Nullable Object body) {
    Fields fields = new Fields(body, "");
    fields.onlyKnown(List.of(TEXT));
    return Map.of(
        "lines", diff(PolicyYaml.write(manager.stored()), PolicyYaml.write(good(fields))));
  }

  private static List<Map<String, Object>> diff(String before, String after) {
    List<Map<String, Object>> lines = new ArrayList<>();
    for (TextDiff.Line line : TextDiff.of(before, after)) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("sign", String.valueOf(line.sign()));
      fields.put(TEXT, line.text());
      lines.add(fields);
    }
    return lines;
  }

  /** Asks what a draft would answer to a request, with what is used in Redis now. */
  Object tryOut(ServiceRequestContext ctx, @Nullable Object body) {
    Fields fields = new Fields(body, "");
    fields.onlyKnown(List.of(TEXT, REQUEST));
    PolicyRegistry registry = new PolicyRegistry(store);
    registry.replaceAll(
        fields.has(TEXT) ? manager.running(good(fields)) : manager.running(manager.stored()));
    Decider decider = new Decider(registry, byHand, live);
    Object request = fields.get(REQUEST);
    Optional<RequestDecision> ruling =
        decider
            .peek(
                AttributesFields.read(request, List.of("cost"), AddressList.EMPTY),
                RequestService.cost(request))
            .join();
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("isFresh", store.isLocal());
    if (ruling.isEmpty()) {
      answer.put("allowed", true);
      answer.put("policy", null);
      return answer;
    }
    answer.putAll(DecisionBody.of(ruling.get()));
    List.of("type", "title", "status", "violated-policies").forEach(answer::remove);
    answer.put("limits", ruling.get().limits());
    answer.put("tier", ruling.get().verdict().tier().word());
    answer.put("rule", ruling.get().treatment().why());
    return answer;
  }

  Object compare(ServiceRequestContext ctx, @Nullable Object body) {
    Fields fields = new Fields(body, "");
    fields.onlyKnown(List.of(TEXT, MINUTES));
    long minutes = fields.has(MINUTES) ? fields.wholeNumber(MINUTES, 1, 30) : 10;
    long now = clock.millis() * MICROS_PER_MILLI;
    Comparison.Result result =
        Comparison.of(
            live.calls().since(now - minutes * MICROS_PER_MINUTE),
            manager.running(manager.stored()),
            manager.running(good(fields)),
            byHand,
            MOST_DIFFERENCES);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("requests", result.calls());
    answer.put("now", counts(result.now()));
    answer.put("draft", counts(result.draft()));
    answer.put("differences", result.differences().stream().map(DraftService::of).toList());
    return answer;
  }

  private static Map<String, Object> counts(Map<String, Comparison.Counts> counts) {
    Map<String, Object> fields = new LinkedHashMap<>();
    counts.forEach(
        (policy, each) ->
            fields.put(policy, Map.of("requests", each.requests(), "refused", each.refused())));
    return fields;
  }

  private static Map<String, Object> of(Comparison.Difference difference) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("key", difference.key());
    fields.put("policy", difference.policy());
    fields.put("requests", difference.requests());
    fields.put("refusedNow", difference.refusedNow());
    fields.put("refusedByDraft", difference.refusedByDraft());
    return fields;
  }

  Object apply(ServiceRequestContext ctx, @Nullable Object body) {
    Fields fields = new Fields(body, "");
    fields.onlyKnown(List.of(TEXT, VERSION, NOTE));
    String note = fields.has(NOTE) ? fields.text(NOTE) : "";
    if (note.length() > LONGEST_NOTE) {
      throw new ConfigException(
          NOTE, "must have at most " + LONGEST_NOTE + " characters, and had " + note.length());
    }
    return answer(
        manager.apply(
            fields.wholeNumber(VERSION, 0, Long.MAX_VALUE),
            good(fields),
            Caller.name(ctx),
            note.isBlank() ? "applied a draft" : note));
  }

  Object rollBack(ServiceRequestContext ctx, @Nullable Object body) {
    Fields fields = new Fields(body, "");
    fields.onlyKnown(List.of(VERSION));
    return answer(
        manager.rollBack(fields.wholeNumber(VERSION, 0, Long.MAX_VALUE), Caller.name(ctx)));
  }

  private Object answer(PolicyManager.Outcome outcome) {
    return outcome == PolicyManager.Outcome.DONE
        ? Map.of(VERSION, manager.version())
        : Problem.of(outcome, "");
  }
}
