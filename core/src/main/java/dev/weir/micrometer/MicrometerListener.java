package dev.weir.micrometer;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.RateLimiterListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts what limiters do in a Micrometer registry. One listener serves any number of limiters.
 *
 * <table>
 * <caption>The meters</caption>
 * <tr><td>{@code weir.decisions}</td><td>counter by {@code policy}, {@code outcome} (allowed or
 *     refused) and {@code source}: calls that were decided, looks included</td></tr>
 * <tr><td>{@code weir.decision.duration}</td><td>timer by {@code policy} and {@code source}: how
 *     long callers waited for them</td></tr>
 * <tr><td>{@code weir.degraded}</td><td>counter by {@code policy} and {@code cause}: decisions that
 *     the failure mode made, whether Redis was asked or was given up already</td></tr>
 * <tr><td>{@code weir.failures}</td><td>counter by {@code policy} and {@code cause}: calls that
 *     Redis was asked to decide and did not, for a cause that passes by itself</td></tr>
 * <tr><td>{@code weir.mistakes}</td><td>the same for the other causes, which were thrown</td></tr>
 * <tr><td>{@code weir.breaker.open}</td><td>gauge by {@code shard}: 0 if it is used; otherwise how
 *     many connections have given it up, usually 1</td></tr>
 * <tr><td>{@code weir.scripts.loaded}</td><td>counter by {@code policy}: calls that met a node
 *     which did not know the script</td></tr>
 * <tr><td>{@code weir.states.repaired}</td><td>counter by {@code policy}: keys whose state was
 *     damaged and was taken as fresh</td></tr>
 * </table>
 *
 * <p>No tag has a key or anything else that a caller chooses, so that there are as many series as
 * policies, outcomes, sources, causes and shards. Meters are registered when first used, and then
 * kept: a call looks up what it counts, and makes nothing. Safe for use by several threads.
 */
public final class MicrometerListener implements RateLimiterListener {

  private final MeterRegistry registry;
  private final Map<String, PolicyMeters> policies = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> openBreakers = new ConcurrentHashMap<>();

  /** A listener that counts in a registry, which the application keeps. */
  public MicrometerListener(MeterRegistry registry) {
    this.registry = Objects.requireNonNull(registry, "registry");
  }

  @Override
  public void decided(Decision decision, long nanos) {
    PolicyMeters meters = of(decision.policy().name());
    meters.of(decision.source()).count(decision.allowed(), nanos);
    FailureCause cause = decision.failure().orElse(null);
    if (cause != null) {
      meters.degraded(cause).increment();
    }
  }

  @Override
  public void failed(String policy, FailureCause cause) {
    of(policy).failed(cause).increment();
  }

  @Override
  public void breakerChanged(String shard, boolean open, FailureCause cause) {
    openBreakers.computeIfAbsent(shard, this::breaker).addAndGet(open ? 1 : -1);
  }

  @Override
  public void scriptLoaded(String policy) {
    counter("weir.scripts.loaded", "Calls that had to send the whole script", policy).increment();
  }

  @Override
  public void stateRepaired(String policy) {
    counter("weir.states.repaired", "Keys whose damaged state was taken as fresh", policy)
        .increment();
  }

  private PolicyMeters of(String policy) {
    PolicyMeters known = policies.get(policy);
    return known != null
        ? known
        : policies.computeIfAbsent(policy, name -> new PolicyMeters(registry, name));
  }

  private AtomicInteger breaker(String shard) {
    AtomicInteger open = new AtomicInteger();
    Gauge.builder("weir.breaker.open", open, AtomicInteger::get)
        .description("Whether the shard is given up for the time being")
        .tag("shard", shard)
        .strongReference(true)
        .register(registry);
    return open;
  }

  /** For what happens rarely: the registry looks up what it knows already. */
  private Counter counter(String name, String description, String policy) {
    return Counter.builder(name).description(description).tag("policy", policy).register(registry);
  }
}
