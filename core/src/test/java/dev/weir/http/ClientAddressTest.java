package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressTest {

  private final ClientAddress address = ClientAddress.standard();

  @ParameterizedTest
  @CsvSource({
    "1.2.3.4, 1.2.3.4",
    "1.2.3.4:8080, 1.2.3.4",
    "' 1.2.3.4 ', 1.2.3.4",
    "::ffff:1.2.3.4, 1.2.3.4",
    "::ffff:102:304, 1.2.3.4",
    "::FFFF:0102:0304, 1.2.3.4",
    "0:0:0:0:0:ffff:1.2.3.4, 1.2.3.4",
    "[::ffff:1.2.3.4]:443, 1.2.3.4",
    "2001:db8:1234:5678::1.2.3.4, 2001:db8:1234:5678:0:0:0:0/64",
    "2001:db8:1234:5678::102:304, 2001:db8:1234:5678:0:0:0:0/64",
    "2001:DB8:1234:5678:00aa::1, 2001:db8:1234:5678:0:0:0:0/64",
    "64:ff9b::1.2.3.4, 1.2.3.4",
    "64:ff9b::5.6.7.8, 5.6.7.8",
    "fe80::1%eth0, fe80:0:0:0:0:0:0:0/64",
    "[2001:db8::1], 2001:db8:0:0:0:0:0:0/64",
    "[2001:db8::1]:443, 2001:db8:0:0:0:0:0:0/64",
    "::1, 0:0:0:0:0:0:0:0/64",
    "0:0:0:0:0:0:0:1, 0:0:0:0:0:0:0:0/64",
  })
  void b11OneSpellingForEachAddress(String text, String name) {
    assertThat(address.name(text)).contains(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "unknown", "_hidden", "localhost", "example.com", "1.2.3", "1.2.3.4.5", "01.2.3.4",
        "256.1.1.1", "1.2.3.4:", ":::", "[::1", "::1]", "2001:db8::1::2", "%", "[]", "12345::",
        "1.2.3.4, 5.6.7.8", "\u0661.2.3.4"
      })
  void whatIsNoAddressGivesNothing(String text) {
    assertThat(address.name(text)).isEmpty();
    assertThat(address.name("1".repeat(10_000))).isEmpty();
  }

  @Test
  void b12AClientHasOneNetworkHoweverManyAddressesItUses() {
    Random random = new Random(1);
    Set<String> names = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      names.add(
          address
              .name(
                  "2001:db8:1:2:%x:%x:%x:%x"
                      .formatted(
                          random.nextInt(65_536),
                          random.nextInt(65_536),
                          random.nextInt(65_536),
                          random.nextInt(65_536)))
              .orElseThrow());
    }
    assertThat(names).hasSize(1);
    assertThat(names).doesNotContain(address.name("2001:db8:1:3::1").orElseThrow());
    ClientAddress wide = ClientAddress.withIpv6Prefix(48);
    assertThat(wide.name("2001:db8:1:3::1")).isEqualTo(wide.name("2001:db8:1:2::1"));
    assertThat(wide.name("1.2.3.4")).contains("1.2.3.4");
    assertThat(ClientAddress.withIpv6Prefix(128).name("2001:db8::1"))
        .contains("2001:db8:0:0:0:0:0:1");
    assertThatIllegalArgumentException().isThrownBy(() -> ClientAddress.withIpv6Prefix(129));
  }

  private static boolean ours(String plain) {
    return plain.startsWith("10.") || plain.equals("2001:db8:0:0:0:0:0:1");
  }

  @Test
  void b14TheNearestAddressThatIsNoProxyOfOursIsTheClient() {
    assertThat(
            address.client("10.0.0.1", List.of("6.6.6.6, 198.51.100.9"), ClientAddressTest::ours))
        .contains("198.51.100.9");
    assertThat(address.client("203.0.113.5", List.of("1.1.1.1"), ClientAddressTest::ours))
        .as("nobody of ours says so")
        .contains("203.0.113.5");
    assertThat(
            address.client(
                "::ffff:10.0.0.1",
                List.of("6.6.6.6", "198.51.100.9, [2001:db8::1]:80 ,10.2.3.4"),
                ClientAddressTest::ours))
        .as("several lines, proxies behind proxies")
        .contains("198.51.100.9");
    assertThat(address.client("10.0.0.1", List.of(), ClientAddressTest::ours)).contains("10.0.0.1");
    assertThat(address.client("10.0.0.1", List.of("10.0.0.2"), ClientAddressTest::ours))
        .as("all are ours")
        .contains("10.0.0.2");
    assertThat(address.client("10.0.0.1", List.of("1.1.1.1, junk"), ClientAddressTest::ours))
        .as("what cannot be read is not passed over")
        .contains("10.0.0.1");
    assertThat(
            address.client(
                "10.0.0.1",
                List.of(String.join(",", Collections.nCopies(500, "10.1.1.1"))),
                ClientAddressTest::ours))
        .isPresent();
  }
}
