package dev.weir.examples;

import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.TokenBucket;
import dev.weir.local.LocalRateLimiter;
import java.time.Duration;

/** Two limits in one policy, and what a decision tells. */
public final class PlainExample {

  private PlainExample() {}

  /** Asks for more than there is. */
  public static void main(String[] args) {
    RateLimitPolicy policy =
        RateLimitPolicy.builder("search")
            .limit("burst", TokenBucket.smooth(3, 1, Duration.ofSeconds(1)))
            .limit("per-day", FixedWindow.of(1_000, Duration.ofDays(1)))
            .build();
    RateLimiter limiter = LocalRateLimiter.create(policy);

    for (int i = 1; i <= 4; i++) {
      Decision decision = limiter.tryAcquire("user:alice");
      if (decision.allowed()) {
        System.out.println("call " + i + ": allowed, " + decision.remaining() + " left");
      } else {
        System.out.println("call " + i + ": refused by " + decision.limitedBy().orElseThrow());
      }
    }
  }
}
