package dev.weir.micrometer;

import dev.weir.FailureCause;
import dev.weir.Source;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The meters of one policy, each registered when first used. Safe for use by several threads. */
final class PolicyMeters {

  private final MeterRegistry registry;
  private final String policy;
  private final Map<Source, SourceMeters> sources = new ConcurrentHashMap<>();
  private final Map<FailureCause, Counter> degraded = new ConcurrentHashMap<>();
  private final Map<FailureCause, Counter> failed = new ConcurrentHashMap<>();

  PolicyMeters(MeterRegistry registry, String policy) {
    this.registry = registry;
    this.policy = policy;
  }

  SourceMeters of(Source source) {
    return sources.computeIfAbsent(source, this::sourceMeters);
  }

  Counter degraded(FailureCause cause) {
    return degraded.computeIfAbsent(cause, this::degradedCounter);
  }

  Counter failed(FailureCause cause) {
    return failed.computeIfAbsent(cause, this::failedCounter);
  }

  private SourceMeters sourceMeters(Source source) {
    return new SourceMeters(
        decisions(source, "allowed"),
        decisions(source, "refused"),
        Timer.builder("weir.decision.duration")
            .description("How long callers waited for decisions")
            .tags("policy", policy, "source", source.word())
            .register(registry));
  }

  private Counter decisions(Source source, String outcome) {
    return Counter.builder("weir.decisions")
        .description("Calls that were decided")
        .tags("policy", policy, "outcome", outcome, "source", source.word())
        .register(registry);
  }

  private Counter degradedCounter(FailureCause cause) {
    return Counter.builder("weir.degraded")
        .description("Decisions that the policy's failure mode made")
        .tags("policy", policy, "cause", cause.word())
        .register(registry);
  }

  private Counter failedCounter(FailureCause cause) {
    return (cause.isTransient()
            ? Counter.builder("weir.failures")
                .description("Calls that the store did not decide, for a cause that passes")
            : Counter.builder("weir.mistakes")
                .description("Calls that the store cannot decide, which were thrown"))
        .tags("policy", policy, "cause", cause.word())
        .register(registry);
  }

  /** The meters of the decisions from one source. */
  record SourceMeters(Counter allowed, Counter refused, Timer duration) {
    void count(boolean isAllowed, long nanos) {
      (isAllowed ? allowed : refused).increment();
      duration.record(nanos, TimeUnit.NANOSECONDS);
    }
  }
}
