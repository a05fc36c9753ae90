package dev.weir.spring.web;

import dev.weir.RateLimiterException;
import dev.weir.http.RateLimitHeaders;
import dev.weir.http.Refusal;
import dev.weir.spring.RateLimitExceededException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Answers refusals in WebFlux: those of the filter, and those that methods throw and that no
 * handler of the application has answered.
 */
public final class FluxRefusals implements WebExceptionHandler, Ordered {

  private static final System.Logger LOG = System.getLogger(FluxRefusals.class.getName());

  /** Before Spring Boot's, which is -1 and answers whatever comes. */
  private static final int ORDER = -2;

  private final RateLimitHeaders headers;
  private final String exposed;
  private final Supplier<List<HandlerMapping>> mappings;

  /**
   * Makes it.
   *
   * @param mappings the handlers, whose rules of CORS a refusal follows
   */
  public FluxRefusals(RateLimitHeaders headers, Supplier<List<HandlerMapping>> mappings) {
    this.headers = headers;
    this.exposed = String.join(", ", headers.names());
    this.mappings = mappings;
  }

  @Override
  public int getOrder() {
    return ORDER;
  }

  @Override
  public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
    if (exchange.getResponse().isCommitted()) {
      return Mono.error(failure);
    }
    if (failure instanceof RateLimitExceededException refused) {
      long now = System.currentTimeMillis() / 1_000;
      return write(exchange, Refusal.of(refused.decision(), headers, now));
    }
    if (failure instanceof RateLimiterException) {
      LOG.log(System.Logger.Level.ERROR, "a call could not be decided, and gets 503", failure);
      return write(exchange, Refusal.ofUndecided());
    }
    return Mono.error(failure);
  }

  /** Answers with a refusal. */
  Mono<Void> write(ServerWebExchange exchange, Refusal refusal) {
    return allowOrigin(exchange)
        .then(
            Mono.defer(
                () -> {
                  ServerHttpResponse response = exchange.getResponse();
                  response.setStatusCode(HttpStatusCode.valueOf(refusal.status()));
                  HttpHeaders sent = response.getHeaders();
                  refusal.headers().forEach(sent::set);
                  sent.setContentType(MediaType.parseMediaType(Refusal.CONTENT_TYPE));
                  byte[] body = refusal.body().getBytes(StandardCharsets.UTF_8);
                  sent.setContentLength(body.length);
                  DataBuffer buffer = response.bufferFactory().wrap(body);
                  return response.writeWith(Mono.just(buffer));
                }));
  }

  /** Has the handler that would have answered put its headers of CORS in; it does not run. */
  private Mono<Void> allowOrigin(ServerWebExchange exchange) {
    HttpHeaders sent = exchange.getResponse().getHeaders();
    if (exchange.getRequest().getHeaders().getOrigin() == null) {
      return Mono.empty();
    }
    Mono<Object> handler =
        sent.getAccessControlAllowOrigin() != null
            ? Mono.empty()
            : Flux.fromIterable(mappings.get())
                .concatMap(mapping -> mapping.getHandler(exchange))
                .next()
                .onErrorResume(unmapped -> Mono.empty());
    return handler.then(Mono.fromRunnable(() -> expose(exchange)));
  }

  /** Lets scripts of other origins read the headers; of no effect where they are not let in. */
  void expose(ServerWebExchange exchange) {
    exchange.getResponse().getHeaders().add(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
  }
}
