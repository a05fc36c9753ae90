package dev.weir.examples.webflux;

import dev.weir.spring.RateLimited;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** A shop on WebFlux: all of its API is limited, and its export a second time. */
@SpringBootApplication
@RestController
public class FluxShop {

  /** Made by Spring. */
  public FluxShop() {}

  /** Orders. */
  @GetMapping("/api/orders")
  public Mono<String> orders() {
    return Mono.just("orders");
  }

  /** An export, which takes much: each customer gets three in an hour. */
  @RateLimited(policy = "export", key = "'customer:' + #customer")
  @GetMapping("/export")
  public Mono<String> export(@RequestParam("customer") String customer) {
    return Mono.just("export of " + customer);
  }

  /** Starts the shop. */
  public static void main(String[] args) {
    SpringApplication.run(FluxShop.class, args);
  }
}
