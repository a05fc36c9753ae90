package dev.weir.server.config;

import dev.weir.RateLimiterException;
import dev.weir.config.ConfigException;
import dev.weir.server.policy.DefinitionFields;
import dev.weir.server.policy.PolicyDefinition;
import dev.weir.server.policy.PolicyRegistry;
import dev.weir.server.policy.PolicyStore;
import dev.weir.server.policy.PolicyVersion;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whose policies run: first those of the file, then those set through the interface, then, without
 * a file, {@code demo}. A name belongs to the first that has it. Safe for use by several threads;
 * changes wait for the store.
 */
public final class PolicyManager {

  private static final Logger LOG = LoggerFactory.getLogger(PolicyManager.class);
  private static final int TRIES = 5;

  private final PolicyRegistry registry;
  private final PolicyStore store;
  private final InstantSource clock;
  private final PolicyDefinition demo;
  private boolean hasFile;
  private List<PolicyDefinition> ofFile = List.of();
  private List<PolicyDefinition> stored = List.of();
  private long version;
  private long refused;

  /** Runs {@code demo} and what the store has. */
  public PolicyManager(PolicyRegistry registry, PolicyStore store, InstantSource clock) {
    this.registry = registry;
    this.store = store;
    this.clock = clock;
    this.demo = DefinitionFields.of(PolicyRegistry.DEMO);
    poll();
    run();
  }

  /** What came of a change. */
  public enum Outcome {
    /** It is in use. */
    DONE,
    /** There are too many policies. */
    TOO_MANY,
    /** The name belongs to a policy of the file. */
    IN_FILE,
    /** Somebody else changed the policies since the version that was named. */
    CONFLICT,
    /** There is no such version or policy. */
    UNKNOWN
  }

  /** Takes the policies of a file. */
  public synchronized void useFile(List<PolicyDefinition> policies) {
    hasFile = true;
    ofFile = List.copyOf(policies);
    run();
  }

  private void run() {
    registry.replaceAll(running(stored));
  }

  /** All that run if these are set through the interface, in the order in which they are tried. */
  public synchronized List<PolicyDefinition> running(List<PolicyDefinition> set) {
    List<PolicyDefinition> all = new ArrayList<>(ofFile);
    all.addAll(set);
    if (!hasFile && set.stream().noneMatch(it -> it.name().equals(demo.name()))) {
      all.add(demo);
    }
    return all;
  }

  /** Where a policy is set: {@code file}, {@code api}, or {@code built-in} for {@code demo}. */
  public synchronized String sourceOf(String name) {
    if (isInFile(name)) {
      return "file";
    }
    return names(stored).contains(name) ? "api" : "built-in";
  }

  /** Takes what other nodes have set since; what cannot be read leaves all as it is. */
  public synchronized void poll() {
    try {
      long newest = store.newest();
      if (newest == 0 && version > 0) {
        restore();
      } else if (newest != version && newest != refused) {
        store.version(newest).ifPresentOrElse(this::use, () -> use(PolicyVersion.NONE));
        LOG.info("policies are those of version {} now", version);
      }
    } catch (RateLimiterException e) {
      LOG.debug("the store of policies does not answer: {}", e.getMessage());
    } catch (ConfigException e) {
      refused = store.newest();
      LOG.error(
          "version {} of the policies cannot be used, and version {} stays: {}",
          refused,
          version,
          e.getMessage());
    }
  }

  /** A store that was emptied never opens what was limited: it is given back what runs. */
  private void restore() {
    PolicyVersion again =
        new PolicyVersion(
            1,
            "weir",
            "restored after the store lost version " + version,
            clock.millis(),
            PolicyJson.write(stored));
    if (store.add(again)) {
      LOG.warn("the store lost the policies, and was given back those of version {}", version);
      version = again.number();
    }
  }

  private void use(PolicyVersion next) {
    stored = PolicyJson.read(next.policies());
    version = next.number();
    run();
  }

  /** The version that runs; 0 if nothing was set through the interface. */
  public synchronized long version() {
    return version;
  }

  /** The policies that were set through the interface, in their order. */
  public synchronized List<PolicyDefinition> stored() {
    return stored;
  }

  /** Whether a policy is one of the file. */
  public synchronized boolean isInFile(String name) {
    return ofFile.stream().anyMatch(it -> it.name().equals(name));
  }

  /** Adds a policy, or changes the one of its name in its place. */
  public synchronized Outcome put(PolicyDefinition policy, String author) {
    for (int i = 0; i < TRIES; i++) {
      List<PolicyDefinition> next = new ArrayList<>(stored);
      int at = names(stored).indexOf(policy.name());
      if (at < 0) {
        next.add(policy);
      } else {
        next.set(at, policy);
      }
      Outcome outcome = apply(version, next, author, "put " + policy.name());
      if (outcome != Outcome.CONFLICT) {
        return outcome;
      }
      poll();
    }
    return Outcome.CONFLICT;
  }

  /** Takes a policy away that was set through the interface. */
  public synchronized Outcome remove(String name, String author) {
    if (isInFile(name)) {
      return Outcome.IN_FILE;
    }
    List<PolicyDefinition> next = new ArrayList<>(stored);
    return next.removeIf(it -> it.name().equals(name))
        ? apply(version, next, author, "removed " + name)
        : Outcome.UNKNOWN;
  }

  /**
   * Replaces all that were set through the interface.
   *
   * @param expected the version that the change was made from
   */
  public synchronized Outcome apply(
      long expected, List<PolicyDefinition> policies, String author, String note) {
    if (expected != version) {
      return Outcome.CONFLICT;
    }
    Set<String> all = new LinkedHashSet<>(names(ofFile));
    for (PolicyDefinition policy : policies) {
      // One that was set before the file had its name is hidden by it, and hinders nothing.
      if (!all.add(policy.name()) && !stored.contains(policy)) {
        return Outcome.IN_FILE;
      }
    }
    if (!hasFile) {
      all.add(demo.name());
    }
    if (all.size() > PolicyRegistry.MAX_POLICIES) {
      return Outcome.TOO_MANY;
    }
    if (policies.equals(stored)) {
      return Outcome.DONE;
    }
    PolicyVersion next =
        new PolicyVersion(version + 1, author, note, clock.millis(), PolicyJson.write(policies));
    if (!store.add(next)) {
      return Outcome.CONFLICT;
    }
    stored = List.copyOf(policies);
    version = next.number();
    LOG.info("{} set version {} of the policies", author, version);
    run();
    return Outcome.DONE;
  }

  /** Makes the policies of an older version the newest one. */
  public synchronized Outcome rollBack(long number, String author) {
    List<PolicyDefinition> old;
    if (number == 0) {
      old = List.of();
    } else {
      PolicyVersion found = store.version(number).orElse(null);
      if (found == null) {
        return Outcome.UNKNOWN;
      }
      old = PolicyJson.read(found.policies());
    }
    return apply(version, old, author, "rolled back to version " + number);
  }

  /** The versions that are kept, the newest first. */
  public List<PolicyVersion> versions() {
    return store.versions();
  }

  /** The policies of a version, as their fields. */
  public List<Map<String, Object>> policiesOf(long number) {
    return store
        .version(number)
        .map(it -> PolicyJson.read(it.policies()))
        .orElse(List.of())
        .stream()
        .map(PolicyDefinition::fields)
        .toList();
  }

  private static List<String> names(List<PolicyDefinition> policies) {
    return policies.stream().map(PolicyDefinition::name).collect(Collectors.toList());
  }
}
