package dev.weir.spring.it;

import dev.weir.spring.RateLimited;
import java.util.concurrent.Callable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** An application on Spring MVC. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Services.class)
class MvcApplication {

  @Bean
  WebMvcConfigurer cors() {
    return new WebMvcConfigurer() {
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
    public String order(@PathVariable("id") String id) {
      return "order " + id;
    }

    @GetMapping("/api/async")
    public Callable<String> async() {
      return () -> "later";
    }

    @GetMapping("/api/broken")
    public String broken() {
      throw new IllegalStateException("broken on purpose");
    }

    @GetMapping("/free")
    public String free() {
      return "free";
    }

    @RateLimited(policy = "method")
    @GetMapping("/limited")
    public String limited() {
      return "limited";
    }
  }
}
