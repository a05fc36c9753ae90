package dev.weir.spring.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.spring.RateLimitExceededException;
import dev.weir.spring.RateLimited;
import dev.weir.spring.RateLimiters;
import dev.weir.spring.autoconfigure.WeirAutoConfiguration;
import dev.weir.spring.it.Services.Searches;
import dev.weir.spring.test.AutoConfigureWeirTest;
import dev.weir.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Mono;

class MethodsTest {

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withUserConfiguration(Application.class)
          .withPropertyValues(Services.POLICIES)
          .withPropertyValues("weir.store=auto");

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(WeirAutoConfiguration.class)
  @AutoConfigureWeirTest
  @Import(Services.class)
  static class Application {}

  @Test
  void aMethodIsRefusedAndAdmittedAgainWhenItWasToldSo() {
    runner.run(
        context -> {
          Searches searches = context.getBean(Searches.class);
          for (int i = 0; i < 5; i++) {
            assertThat(searches.find("ann")).isEqualTo("found");
          }
          RateLimitExceededException refused = catchRefusal(() -> searches.find("ann"));
          assertThat(searches.find("bob")).isEqualTo("found");
          Duration wait = refused.decision().retryAfter().toDuration();
          ManualClock clock = context.getBean(ManualClock.class);
          clock.advance(wait.minusNanos(1_000));
          catchRefusal(() -> searches.find("ann"));
          clock.advance(1);
          assertThat(searches.find("ann")).isEqualTo("found");
        });
  }

  private static RateLimitExceededException catchRefusal(Runnable call) {
    try {
      call.run();
    } catch (RateLimitExceededException e) {
      return e;
    }
    throw new AssertionError("the call was admitted");
  }

  @Test
  void aCostIsAnExpressionAndARefusalCostsNothing() {
    runner.run(
        context -> {
          Searches searches = context.getBean(Searches.class);
          assertThat(searches.weigh("ann", 3)).isEqualTo("weighed");
          catchRefusal(() -> searches.weigh("ann", 3));
          assertThat(searches.weigh("ann", 2)).isEqualTo("weighed");
          assertThatThrownBy(() -> searches.weigh("ann", -1))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("must be from 0 to 1000000000, and was -1");
        });
  }

  @Test
  void aFallbackAnswersInsteadAndIsToldWhy() {
    runner.run(
        context -> {
          Searches searches = context.getBean(Searches.class);
          for (int i = 0; i < 5; i++) {
            assertThat(searches.findOrCached("ann")).isEqualTo("found");
          }
          assertThat(searches.findOrCached("ann")).startsWith("cached since ");
        });
  }

  @Test
  void whatAnswersLaterIsAskedForWithoutBlocking() {
    runner.run(
        context -> {
          Searches searches = context.getBean(Searches.class);
          Mono<String> mono = searches.mono("ann");
          for (int i = 0; i < 5; i++) {
            assertThat(searches.later("ann").join()).isEqualTo("found");
            assertThat(mono.block()).as("each subscription is a call").isEqualTo("found");
          }
          assertThatThrownBy(() -> searches.later("ann").join())
              .isInstanceOf(CompletionException.class)
              .hasCauseInstanceOf(RateLimitExceededException.class);
          assertThatThrownBy(mono::block).isInstanceOf(RateLimitExceededException.class);
        });
  }

  @Test
  void permitsOfConcurrencyAreHeldUntilTheMethodHasReturned() {
    runner.run(
        context -> {
          Searches searches = context.getBean(Searches.class);
          searches.hold("ann", () -> catchRefusal(() -> searches.hold("ann", () -> {})));
          assertThat(searches.hold("ann", () -> {})).isEqualTo("held");
        });
  }

  @Test
  void aPlanIsChosenAtEachCall() {
    runner.run(
        context -> {
          Searches searches = context.getBean(Searches.class);
          for (int i = 0; i < 8; i++) {
            assertThat(searches.find("gold-ann")).isEqualTo("found");
          }
          catchRefusal(() -> searches.find("gold-ann"));
          context.getBean(RateLimiters.class).get("method").reset("gold-ann");
          assertThat(searches.find("gold-ann")).isEqualTo("found");
        });
  }

  @Test
  void aKeyOfNobodyIsAnError() {
    runner.run(
        context ->
            assertThatThrownBy(() -> context.getBean(Searches.class).find(""))
                .hasMessageContaining("would be shared by strangers"));
  }

  @Test
  void mistakesInAnnotationsAreToldWhenTheApplicationStarts() {
    start(NoPolicy.class, "there is no policy 'nothing'; there are api, method, busy");
    start(NoFallback.class, "names the fallback 'other'");
    start(NoExpression.class, "cannot be used");
  }

  private void start(Class<?> service, String message) {
    runner
        .withUserConfiguration(service)
        .run(
            context ->
                assertThat(context.getStartupFailure()).hasStackTraceContaining(message));
  }

  static class NoPolicy {
    @RateLimited(policy = "nothing", key = "'all'")
    public void call() {}
  }

  static class NoFallback {
    @RateLimited(policy = "method", key = "'all'", fallback = "other")
    public void call() {}
  }

  static class NoExpression {
    @RateLimited(policy = "method", key = "#(")
    public void call() {}
  }
}
