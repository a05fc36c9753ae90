package dev.weir.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class PropertiesTest {

  private static final String LIMIT = "weir.policies.api.limits[0].";

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class))
          .withPropertyValues(
              LIMIT + "algorithm=token-bucket",
              LIMIT + "capacity=10",
              LIMIT + "refill-tokens=10",
              LIMIT + "refill-period=1m");

  @Test
  void mistakesSayThePropertyTheValueAndTheBound() {
    fails(LIMIT + "refill-period=0s", LIMIT + "refill-period", "PT0S", "1 ms");
    fails(LIMIT + "capacity=0", LIMIT + "capacity", "from 1 to 1000000000, and was 0");
    fails(LIMIT + "algorithm=tokenbucket", LIMIT + "algorithm", "did you mean 'token-bucket'");
    fails(LIMIT + "window=1m", LIMIT + "window", "there is no such field");
    fails("weir.policies.api.failure-mode=opn", "weir.policies.api.failure-mode", "'opn'");
    fails("weir.policies.other.match=/x", "weir.policies.other.limits", "is missing");
    fails("weir.policies.api.match=api", "weir.policies.api.match", "starts with a slash");
    fails("weir.policies.api.methods=get", "weir.policies.api.methods", "capital letters");
    fails("weir.policies.api.key=ip", "weir.policies.api.key", "must be address, principal");
    fails("weir.policies.api.key=proxy-header:X-User", "weir.policies.api.key", "trusted");
    fails("weir.policies.api.key=bean:nobody", "weir.policies.api.key", "no such bean");
    fails("weir.policies.api.cost=-1", "weir.policies.api.cost", "from 0 to 1000000000");
    fails("weir.http.trusted-proxies=10.0.0.0/99", "weir.http.trusted-proxies", "10.0.0.0/99");
    fails("weir.http.ipv6-prefix=8", "weir.http.ipv6-prefix", "from 16 to 128 bits, and was 8");
    fails("weir.max-keys=0", "weir.max-keys", "must be 1 or more, and was 0");
    fails("weir.store=redis", "weir.store", "spring-boot-starter-data-redis");
  }

  private void fails(String property, String name, String... message) {
    runner
        .withPropertyValues(property)
        .run(
            context -> {
              Throwable failure =
                  Objects.requireNonNull(context.getStartupFailure(), property);
              FailureAnalysis analysis =
                  Objects.requireNonNull(new WeirFailureAnalyzer().analyze(failure), property);
              assertThat(analysis.getDescription()).startsWith(name + ": ").contains(message);
            });
  }

  @Test
  void aPropertyThatThereIsNotIsAnError() {
    runner
        .withPropertyValues("weir.policies.api.failuremod=open")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("weir.policies.api.failuremod"));
  }

  @Test
  void nothingIsStartedIfItIsSwitchedOff() {
    runner
        .withPropertyValues("weir.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(LimiterStore.class));
  }

  @Test
  void aNativeImageKeepsTheScriptsAndWhatExpressionsLookAt() {
    RuntimeHints hints = new RuntimeHints();
    new WeirRuntimeHints().registerHints(hints, getClass().getClassLoader());
    for (String script : new String[] {"acquire", "prelude", "drain", "window", "check"}) {
      assertThat(
              RuntimeHintsPredicates.resource()
                  .forResource("dev/weir/redis/lua/" + script + ".lua"))
          .accepts(hints);
    }
    assertThat(RuntimeHintsPredicates.reflection().onType(dev.weir.spring.aop.CallRoot.class))
        .accepts(hints);
  }
}
