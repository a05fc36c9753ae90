package dev.weir.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** A real Spring Cloud Gateway, whose route asks Weir. */
class GatewayTest {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Gateway {

    @Bean
    KeyResolver keyResolver() {
      return exchange -> Mono.just("everybody");
    }
  }

  @Test
  void aRouteIsLimitedByThePolicyThatItNames() throws IOException {
    HttpServer backend =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    backend.createContext(
        "/",
        exchange -> {
          byte[] body = "from behind".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    backend.start();
    String routes = "spring.cloud.gateway.server.webflux.routes[0].";
    String filter = routes + "filters[0].";
    try (Instance gateway =
        Instance.flux(
            Gateway.class,
            "spring.cloud.gateway.enabled=true",
            "spring.cloud.gateway.server.webflux.enabled=true",
            "weir.store=memory",
            "weir.policies.edge.limits[0].algorithm=token-bucket",
            "weir.policies.edge.limits[0].capacity=6",
            "weir.policies.edge.limits[0].refill-tokens=6",
            "weir.policies.edge.limits[0].refill-period=1h",
            routes + "id=shop",
            routes + "uri=http://127.0.0.1:" + backend.getAddress().getPort(),
            routes + "predicates[0]=Path=/shop/**",
            filter + "name=RequestRateLimiter",
            filter + "args.weir.policy=edge",
            filter + "args.weir.cost=2")) {
      for (int i = 0; i < 3; i++) {
        HttpResponse<String> answer = gateway.get("/shop/" + i);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("from behind");
        assertThat(WebContract.header(answer, "X-RateLimit-Remaining"))
            .isEqualTo(String.valueOf(4 - 2 * i));
      }
      HttpResponse<String> refused = gateway.get("/shop/4");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(Integer.parseInt(WebContract.header(refused, "Retry-After")))
          .isBetween(1_100, 1_200);
    } finally {
      backend.stop(0);
    }
  }
}
