package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The header of RFC 7239, its own examples and what is none. */
class ForwardedTest {

  private static List<String> clients(String... lines) {
    return Forwarded.clients(List.of(lines));
  }

  @Test
  void theExamplesOfTheStandard() {
    assertThat(clients("for=\"_gazonk\"")).containsExactly("_gazonk");
    assertThat(clients("For=\"[2001:db8:cafe::17]:4711\""))
        .containsExactly("[2001:db8:cafe::17]:4711");
    assertThat(clients("for=192.0.2.60;proto=http;by=203.0.113.43")).containsExactly("192.0.2.60");
    assertThat(clients("for=192.0.2.43, for=198.51.100.17"))
        .containsExactly("192.0.2.43", "198.51.100.17");
    assertThat(clients("for=192.0.2.43,for=\"[2001:db8:cafe::17]\",for=unknown"))
        .containsExactly("192.0.2.43", "[2001:db8:cafe::17]", "unknown");
    assertThat(clients("proto=https", "for=192.0.2.1")).containsExactly("", "192.0.2.1");
  }

  @Test
  void whatIsNotOfItsFormHidesAllBeforeIt() {
    for (String malformed :
        List.of(
            "for=\"1.2.3.4",
            "for=1.2.3.4;for=5.6.7.8",
            "for=1.2.3.4 5.6.7.8",
            "for==1",
            "for",
            "192.0.2.1",
            "for=\"a\\",
            "for=1.2.3.4\"")) {
      assertThat(clients("for=192.0.2.1", malformed, "for=10.0.0.1"))
          .as(malformed)
          .containsExactly("", "10.0.0.1");
    }
    assertThat(clients("for=\"1.2.3.4, 5.6.7.8\"")).containsExactly("");
  }

  @Test
  void anyTextIsReadInLinearTime() {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    String alphabet = "for=\"\\,; \t[]:.1a%";
    long start = System.nanoTime();
    for (int i = 0; i < 2_000; i++) {
      StringBuilder line = new StringBuilder();
      for (int j = random.nextInt(200); j >= 0; j--) {
        line.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      for (String client : clients(line.toString())) {
        assertThat(client).as("seed %d: %s", seed, line).doesNotContain(",");
      }
    }
    clients("for=\"" + "\\a".repeat(4_000));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
  }
}
