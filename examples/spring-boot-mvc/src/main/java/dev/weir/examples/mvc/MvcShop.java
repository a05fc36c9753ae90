package dev.weir.examples.mvc;

import dev.weir.spring.RateLimited;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A shop on Spring MVC: all of its API is limited, and its export a second time. */
@SpringBootApplication
@RestController
public class MvcShop {

  /** Made by Spring. */
  public MvcShop() {}

  /** Orders. */
  @GetMapping("/api/orders")
  public String orders() {
    return "orders";
  }

  /** An export, which takes much: each customer gets three in an hour. */
  @RateLimited(policy = "export", key = "'customer:' + #customer")
  @GetMapping("/export")
  public String export(@RequestParam("customer") String customer) {
    return "export of " + customer;
  }

  /** Starts the shop. */
  public static void main(String[] args) {
    SpringApplication.run(MvcShop.class, args);
  }
}
