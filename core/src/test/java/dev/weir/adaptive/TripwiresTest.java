package dev.weir.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TripwiresTest {

  @Test
  void whatTheApplicationServesIsNoTripwire() {
    List<String> routes =
        List.of("/", "/{page}", "/actuator/health", "/blog/wp-content/{file}", "/api/:id", "/**");
    assertThat(Tripwires.standard().served(routes))
        .isEqualTo(
            Map.of("/actuator/*", "/actuator/health", "/wp-content/*", "/blog/wp-content/{file}"));
    AdaptivePolicy policy =
        AdaptivePolicy.builder()
            .mode(AdaptivePolicy.Mode.ENFORCE)
            .percentage(7)
            .set(Setting.FIRST_BLOCK, 120)
            .build();
    AdaptivePolicy dropped = policy.forRoutes(routes);
    assertThat(dropped.tripwires().matches("/actuator/env")).isFalse();
    assertThat(dropped.tripwires().matches("/blog/wp-content/x.php")).isFalse();
    assertThat(dropped.tripwires().matches("/.env")).isTrue();
    assertThat(dropped.tripwires().patterns()).hasSize(policy.tripwires().patterns().size() - 2);
    assertThat(List.of(dropped.mode(), dropped.percentage(), dropped.changed()))
        .isEqualTo(List.of(policy.mode(), policy.percentage(), policy.changed()));
    assertThat(policy.forRoutes(List.of("/", "/{a}/{b}", "/users"))).isSameAs(policy);
  }
}
