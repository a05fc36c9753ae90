package dev.weir.spring.it;

import dev.weir.spring.RateLimited;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.CorsRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import reactor.core.publisher.Mono;

/** An application on WebFlux. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Services.class)
class FluxApplication {

  @Bean
  WebFluxConfigurer cors() {
    return new WebFluxConfigurer() {
      @Override
      public void addCorsMappings(CorsRegistry registry) {
        registry.addMapping("/api/**").allowedOrigins("https://shop.example");
      }
    };
  }

  /** Its controller. */
  @RestController
  static class Controller {

    @GetMapping("/api/orders/{id}")
    public Mono<String> order(@PathVariable("id") String id) {
      return Mono.just("order " + id);
    }

    @GetMapping("/api/async")
    public Mono<String> async() {
      return Mono.fromCallable(() -> "later");
    }

    @GetMapping("/api/broken")
    public Mono<String> broken() {
      return Mono.error(new IllegalStateException("broken on purpose"));
    }

    @GetMapping("/free")
    public Mono<String> free() {
      return Mono.just("free");
    }

    @GetMapping("/thread")
    public Mono<String> thread() {
      return Mono.fromSupplier(() -> Thread.currentThread().getName());
    }

    @RateLimited(policy = "method")
    @GetMapping("/limited")
    public Mono<String> limited() {
      return Mono.just("limited");
    }
  }
}
