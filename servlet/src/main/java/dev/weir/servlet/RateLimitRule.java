package dev.weir.servlet;

import dev.weir.AlgorithmKind;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.adaptive.AdaptiveRateLimiter;
import dev.weir.adaptive.CallReader;
import dev.weir.adaptive.PopularMissing;
import dev.weir.adaptive.Precedence;
import dev.weir.http.ClientIdentity;
import dev.weir.http.HttpRequestView;
import dev.weir.http.PathPattern;
import dev.weir.http.RouteKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are charged to whom, how much, and by which limiter. Immutable.
 *
 * <p>A policy with a {@link dev.weir.Concurrency} limit holds its permits until the request is
 * over, however it ends.
 */
public final class RateLimitRule {

  /** A limiter that judges behaviour, and what it needs for that. */
  record Adaptive(AdaptiveRateLimiter limiter, CallReader reader, PopularMissing popular) {}

  private final @Nullable RateLimiter limiter;
  private final @Nullable Adaptive adaptive;
  private final List<PathPattern> paths;
  private final Set<String> methods;
  private final Predicate<HttpRequestView> condition;
  private final @Nullable ClientIdentity client;
  private final boolean shared;
  private final boolean perRoute;
  private final ToLongFunction<HttpRequestView> cost;
  private final Precedence precedence;

  private RateLimitRule(Builder builder) {
    this.limiter = builder.limiter;
    this.adaptive = builder.adaptive;
    this.paths = List.copyOf(builder.paths);
    this.methods = Set.copyOf(builder.methods);
    this.condition = builder.condition;
    this.client = builder.client;
    this.shared = builder.shared;
    this.perRoute = builder.perRoute;
    this.cost = builder.cost;
    this.precedence = builder.precedence;
  }

  /** A rule for every request, one permit each, charged to its client. */
  public static RateLimitRule of(RateLimiter limiter) {
    return builder(limiter).build();
  }

  /** Starts a rule. */
  public static Builder builder(RateLimiter limiter) {
    return new Builder(Objects.requireNonNull(limiter, "limiter"), null);
  }

  /**
   * Starts a rule of a limiter that judges behaviour too. How the application answered is reported
   * to it when the response is complete.
   *
   * @throws IllegalArgumentException if its policy has a limit of concurrency, whose permits it
   *     could not give back
   */
  public static Builder builder(AdaptiveRateLimiter limiter) {
    if (holds(limiter.limits())) {
      throw new IllegalArgumentException(
          "policy '%s' has a limit of concurrency, which an adaptive limiter cannot give back;"
                  .formatted(limiter.limits().name())
              + " put that limit into a rule of its own");
    }
    Adaptive adaptive =
        new Adaptive(
            limiter, new CallReader(limiter.policy()), new PopularMissing(limiter.policy()));
    return new Builder(null, adaptive);
  }

  static boolean holds(RateLimitPolicy policy) {
    return policy.limits().stream().anyMatch(it -> it.limit().kind() == AlgorithmKind.CONCURRENCY);
  }

  /** The pattern that a request is of, {@code "/**"} if any will do; {@code null} if of none. */
  @Nullable String match(HttpRequestView request) {
    if (!methods.isEmpty() && !methods.contains(RouteKey.method(request.method()))) {
      return null;
    }
    String found = paths.isEmpty() ? "/**" : null;
    if (found == null) {
      String path = request.path();
      for (PathPattern pattern : paths) {
        if (pattern.matches(path)) {
          found = pattern.toString();
          break;
        }
      }
    }
    return found != null && condition.test(request) ? found : null;
  }

  boolean namesPaths() {
    return !paths.isEmpty();
  }

  @Nullable RateLimiter limiter() {
    return limiter;
  }

  @Nullable Adaptive adaptive() {
    return adaptive;
  }

  Object limiterObject() {
    return adaptive != null ? adaptive.limiter() : Objects.requireNonNull(limiter);
  }

  @Nullable ClientIdentity client() {
    return client;
  }

  boolean isShared() {
    return shared;
  }

  boolean isPerRoute() {
    return perRoute;
  }

  long cost(HttpRequestView request) {
    return cost.applyAsLong(request);
  }

  Precedence precedence() {
    return precedence;
  }

  RateLimitPolicy policy() {
    return adaptive != null
        ? adaptive.limiter().limits()
        : Objects.requireNonNull(limiter).policy();
  }

  /** Collects a rule. Not safe for use by several threads. */
  public static final class Builder {

    private final @Nullable RateLimiter limiter;
    private final @Nullable Adaptive adaptive;
    private final List<PathPattern> paths = new ArrayList<>();
    private final Set<String> methods = new TreeSet<>();
    private Predicate<HttpRequestView> condition = request -> true;
    private @Nullable ClientIdentity client;
    private boolean shared;
    private boolean perRoute;
    private ToLongFunction<HttpRequestView> cost = request -> 1;
    private Precedence precedence = Precedence.standard();

    private Builder(@Nullable RateLimiter limiter, @Nullable Adaptive adaptive) {
      this.limiter = limiter;
      this.adaptive = adaptive;
    }

    /**
     * For requests of these paths, as {@link PathPattern} has them; all paths by default.
     *
     * @throws IllegalArgumentException if one is no pattern
     */
    public Builder paths(String... patterns) {
      for (String pattern : patterns) {
        paths.add(PathPattern.parse(pattern));
      }
      return this;
    }

    /** For requests of these methods, GET for HEAD too; all by default. */
    public Builder methods(String... methods) {
      for (String method : methods) {
        this.methods.add(RouteKey.method(method));
      }
      return this;
    }

    /** For requests of which this is true as well. */
    public Builder when(Predicate<HttpRequestView> condition) {
      this.condition = Objects.requireNonNull(condition, "condition");
      return this;
    }

    /** Charged to whom this tells; to whom the filter's identity tells by default. */
    public Builder client(ClientIdentity client) {
      this.client = Objects.requireNonNull(client, "client");
      return this;
    }

    /** Charged to all clients together. */
    public Builder sharedByAll() {
      this.shared = true;
      return this;
    }

    /**
     * Charged for each route by itself: the one that the framework matched if the view of requests
     * tells it, otherwise the rule's own pattern or the container's. Never the text of a path.
     */
    public Builder perRoute() {
      this.perRoute = true;
      return this;
    }

    /** So many permits, 0 or more; 0 is a look, which is allowed and not charged. */
    public Builder cost(ToLongFunction<HttpRequestView> cost) {
      this.cost = Objects.requireNonNull(cost, "cost");
      return this;
    }

    /**
     * For an adaptive limiter: whom it does not judge by behaviour, and who is refused. A {@link
     * dev.weir.local.PrecedenceRateLimiter} has its own, which is asked instead.
     */
    public Builder precedence(Precedence precedence) {
      this.precedence = Objects.requireNonNull(precedence, "precedence");
      return this;
    }

    /** Makes the rule. */
    public RateLimitRule build() {
      return new RateLimitRule(this);
    }
  }
}
