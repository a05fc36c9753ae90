package dev.weir.spring.web;

import dev.weir.Decision;
import dev.weir.http.ClientIdentity;
import dev.weir.http.ClientKey;
import dev.weir.http.PathPattern;
import dev.weir.http.RateLimitHeaders;
import dev.weir.http.Refusal;
import dev.weir.http.RequestClass;
import dev.weir.http.RouteKey;
import dev.weir.http.SharedAddressDetector;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Limits requests of WebFlux by rules, each request once, without blocking. What comes after it
 * never runs on a thread of the Redis client.
 */
public final class RateLimitWebFilter implements WebFilter, Ordered {

  /** Where the view of a request is in the Reactor context, for limits of methods. */
  static final Object VIEW = FluxRequestView.class;

  private static final System.Logger LOG = System.getLogger(RateLimitWebFilter.class.getName());

  private static final String SEEN = RateLimitWebFilter.class.getName();

  private static final ClientKey EVERYBODY = new ClientKey(ClientKey.Outcome.KNOWN, "everybody");

  private final HttpRules rules;
  private final FluxRefusals refusals;
  private final RateLimitHeaders headers;
  private final int order;
  private final SharedAddressDetector sharedAddress = new SharedAddressDetector();

  /**
   * Makes a filter.
   *
   * @param order where among the filters
   */
  public RateLimitWebFilter(
      HttpRules rules, FluxRefusals refusals, RateLimitHeaders headers, int order) {
    this.rules = rules;
    this.refusals = refusals;
    this.headers = headers;
    this.order = order;
  }

  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    if (exchange.getAttributes().putIfAbsent(SEEN, true) != null) {
      return chain.filter(exchange);
    }
    return exchange
        .getPrincipal()
        .map(Principal::getName)
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(
            name -> {
              FluxRequestView view = new FluxRequestView(exchange.getRequest(), name.orElse(null));
              return filter(exchange, chain, view).contextWrite(context -> context.put(VIEW, view));
            });
  }

  private Mono<Void> filter(
      ServerWebExchange exchange, WebFilterChain chain, FluxRequestView view) {
    if (isExempt(view)) {
      return chain.filter(exchange);
    }
    noteAddress(view);
    List<FluxAdmission.Ask> asks = asks(view);
    if (asks == null) {
      return refusals.write(exchange, Refusal.ofUnknownClient());
    }
    if (asks.isEmpty()) {
      return chain.filter(exchange);
    }
    return ask(asks)
        .flatMap(
            answer ->
                answer
                    .map(admission -> goOn(exchange, chain, admission))
                    .orElseGet(() -> refusals.write(exchange, Refusal.ofUndecided())));
  }

  /** Asks; nothing if nobody could decide, which is logged. */
  private static Mono<Optional<FluxAdmission>> ask(List<FluxAdmission.Ask> asks) {
    CompletableFuture<FluxAdmission> answer = FluxAdmission.ask(asks);
    boolean isHere = answer.isDone();
    Mono<Optional<FluxAdmission>> asked =
        Mono.fromFuture(answer)
            .map(Optional::of)
            .onErrorResume(
                failure -> {
                  LOG.log(
                      System.Logger.Level.ERROR,
                      "a request could not be decided, and gets 503",
                      failure);
                  return Mono.just(Optional.empty());
                });
    return isHere ? asked : asked.publishOn(Schedulers.parallel());
  }

  private Mono<Void> goOn(
      ServerWebExchange exchange, WebFilterChain chain, FluxAdmission admission) {
    List<Decision> decisions = admission.decisions();
    if (!admission.isAllowed()) {
      return refusals.write(
          exchange, Refusal.of(decisions, headers, System.currentTimeMillis() / 1_000));
    }
    HttpHeaders sent = exchange.getResponse().getHeaders();
    headers.of(decisions, System.currentTimeMillis() / 1_000).forEach(sent::set);
    if (exchange.getRequest().getHeaders().getOrigin() != null) {
      refusals.expose(exchange);
    }
    return chain.filter(exchange).doFinally(end -> admission.finish());
  }

  private boolean isExempt(FluxRequestView view) {
    if (RequestClass.isPreflight(view)) {
      return true;
    }
    for (PathPattern pattern : rules.exempt()) {
      if (pattern.matches(view.path())) {
        return true;
      }
    }
    return false;
  }

  private void noteAddress(FluxRequestView view) {
    String peer = view.peer();
    if (peer != null && !rules.client().trustedProxies().sent(view)) {
      sharedAddress.note(peer).ifPresent(warning -> LOG.log(System.Logger.Level.WARNING, warning));
    }
  }

  /** What is asked; {@code null} if somebody is to be charged and it cannot be told who. */
  private @Nullable List<FluxAdmission.Ask> asks(FluxRequestView view) {
    List<FluxAdmission.Ask> asks = new ArrayList<>();
    for (HttpRule rule : rules.rules()) {
      String pattern = rule.match(view);
      if (pattern != null) {
        ClientIdentity client = rule.client();
        ClientKey key = client == null ? EVERYBODY : client.of(view);
        if (key.outcome() == ClientKey.Outcome.REFUSED) {
          return null;
        }
        if (key.isCharged()) {
          asks.add(
              new FluxAdmission.Ask(
                  rule,
                  rule.perRoute()
                      ? key.of(RouteKey.of(view.method(), pattern, view.path()))
                      : key.text()));
        }
      }
    }
    return asks;
  }
}
