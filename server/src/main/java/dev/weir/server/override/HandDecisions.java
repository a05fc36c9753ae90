package dev.weir.server.override;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.RateLimiterException;
import dev.weir.adaptive.AddressList;
import dev.weir.adaptive.Cidr;
import dev.weir.adaptive.ManualOverride;
import dev.weir.adaptive.Precedence;
import dev.weir.adaptive.Tier;
import dev.weir.server.policy.OverrideStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was decided by hand, as it holds now. Safe for use by several threads; changes wait for the
 * store.
 */
public final class HandDecisions {

  private static final Logger LOG = LoggerFactory.getLogger(HandDecisions.class);
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final OverrideStore store;
  private final InstantSource clock;
  private long seen = -1;
  private volatile List<HandDecision> all = List.of();
  private volatile Precedence precedence = Precedence.standard();

  /** Decisions of a store, as it has them now if it answers. */
  public HandDecisions(OverrideStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    poll();
  }

  /** Takes what other nodes have decided since, and leaves out what has expired. */
  public synchronized void poll() {
    try {
      long changes = store.changes();
      if (changes != seen) {
        List<HandDecision> read = new ArrayList<>();
        store.entries().forEach(entry -> read(entry).ifPresent(read::add));
        all = List.copyOf(read);
        seen = changes;
        use();
      } else if (all.stream().anyMatch(it -> !it.holdsAt(clock.millis()))) {
        all = all.stream().filter(it -> it.holdsAt(clock.millis())).toList();
        use();
      }
    } catch (RateLimiterException e) {
      LOG.debug("the store of decisions by hand does not answer: {}", e.getMessage());
    }
  }

  private void use() {
    List<ManualOverride> subjects = new ArrayList<>();
    List<Cidr> denied = new ArrayList<>();
    List<Cidr> allowed = new ArrayList<>(Precedence.LOOPBACK);
    for (HandDecision decision : all) {
      if (!decision.holdsAt(clock.millis())) {
        continue;
      }
      if (!decision.isRange()) {
        subjects.add(decision.ofSubject());
      } else if (decision.kind() == ManualOverride.Kind.BLOCK) {
        denied.add(Cidr.parse(decision.target()));
      } else {
        allowed.add(Cidr.parse(decision.target()));
      }
    }
    precedence = Precedence.of(subjects, AddressList.of(denied), AddressList.of(allowed));
  }

  /** Which rule judges a call, as it is now. */
  public Precedence precedence() {
    return precedence;
  }

  /** All that hold, the newest first. */
  public List<HandDecision> all() {
    return all.stream()
        .filter(it -> it.holdsAt(clock.millis()))
        .sorted(Comparator.comparingLong(HandDecision::sinceMillis).reversed())
        .toList();
  }

  /** What was decided about a subject. */
  public Optional<HandDecision> ofSubject(String key) {
    return all().stream().filter(it -> !it.isRange() && it.target().equals(key)).findFirst();
  }

  /**
   * Decides, and notes it in the trail.
   *
   * @return whether there was room for it
   */
  public boolean put(HandDecision decision) {
    // What has expired leaves room, and nobody has to take it back.
    expired();
    boolean isPut =
        store.put(decision.name(), write(fields(decision)), write(line(decision.word(), decision)));
    poll();
    return isPut;
  }

  private void expired() {
    for (String entry : store.entries()) {
      read(entry)
          .filter(it -> !it.holdsAt(clock.millis()))
          .ifPresent(it -> store.remove(it.name(), write(line("expired", it))));
    }
  }

  /**
   * Takes a decision back, and notes that in the trail.
   *
   * @return whether there was one
   */
  public boolean remove(String target, boolean isRange, String author, String reason) {
    HandDecision found =
        all().stream()
            .filter(it -> it.isRange() == isRange && it.target().equals(target))
            .findFirst()
            .orElse(null);
    if (found == null) {
      return false;
    }
    Map<String, Object> line = line("removed", found);
    line.put("author", author);
    line.put("reason", reason);
    boolean isRemoved = store.remove(found.name(), write(line));
    poll();
    return isRemoved;
  }

  /** Notes in the trail that a subject was forgotten. */
  public void noteReset(String limits, String key, String author, String reason) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("atMillis", clock.millis());
    line.put("action", "reset");
    line.put("subject", key);
    line.put("limits", limits);
    line.put("author", author);
    line.put("reason", reason);
    store.note(write(line));
  }

  private Map<String, Object> line(String action, HandDecision decision) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("atMillis", clock.millis());
    line.put("action", action);
    line.putAll(fields(decision));
    return line;
  }

  /** The newest lines of the trail, as fields. */
  public List<Object> trail(int most) {
    List<Object> lines = new ArrayList<>();
    for (String line : store.trail(most)) {
      try {
        lines.add(MAPPER.readValue(line, Object.class));
      } catch (JsonProcessingException e) {
        lines.add(Map.of("action", "unreadable"));
      }
    }
    return lines;
  }

  /** A decision as fields. */
  public static Map<String, Object> fields(HandDecision decision) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(decision.isRange() ? "range" : "subject", decision.target());
    fields.put("kind", decision.word());
    if (decision.kind() == ManualOverride.Kind.PIN) {
      fields.put("tier", decision.tier().word());
    }
    fields.put("author", decision.author());
    fields.put("reason", decision.reason());
    fields.put("sinceMillis", decision.sinceMillis());
    fields.put("untilMillis", decision.untilMillis() == 0 ? null : decision.untilMillis());
    return fields;
  }

  private static String write(Map<String, Object> fields) {
    try {
      return MAPPER.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("fields are always JSON", e);
    }
  }

  private static Optional<HandDecision> read(String entry) {
    try {
      JsonNode node = MAPPER.readTree(entry);
      boolean isRange = node.has("range");
      return Optional.of(
          new HandDecision(
              node.path(isRange ? "range" : "subject").asText(),
              isRange,
              ManualOverride.Kind.valueOf(node.path("kind").asText().toUpperCase(Locale.ROOT)),
              Tier.valueOf(node.path("tier").asText("normal").toUpperCase(Locale.ROOT)),
              node.path("author").asText(),
              node.path("reason").asText(),
              node.path("sinceMillis").asLong(),
              node.path("untilMillis").asLong(0)));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      LOG.warn("a decision by hand cannot be read and is left out: {}", e.getMessage());
      return Optional.empty();
    }
  }
}
