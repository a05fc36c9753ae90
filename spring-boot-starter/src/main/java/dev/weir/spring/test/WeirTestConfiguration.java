package dev.weir.spring.test;

import dev.weir.testkit.ManualClock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A clock that stands still; an application with a clock of its own has its limits in memory. */
@Configuration(proxyBeanMethods = false)
class WeirTestConfiguration {

  @Bean
  ManualClock weirManualClock() {
    return new ManualClock();
  }
}
