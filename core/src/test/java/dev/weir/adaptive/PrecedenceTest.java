package dev.weir.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PrecedenceTest {

  private static AddressList list(String... ranges) {
    return AddressList.of(Stream.of(ranges).map(Cidr::parse).toList());
  }

  private static ManualOverride override(ManualOverride.Kind kind, long since, long until) {
    return new ManualOverride("u", kind, Tier.ELEVATED, "ann", "test", since, Optional.of(until));
  }

  private static Treatment.Kind kind(Precedence precedence, String address, long now) {
    return precedence.treatment("u", address, false, null, now).kind();
  }

  @Test
  void theLongestPrefixIsFound() {
    AddressList list = list("10.0.0.0/8", "10.1.0.0/16", "0.0.0.0/0", "2001:db8::/32", "::1");
    assertThat(list.find("10.1.2.3")).contains(Cidr.parse("10.1.0.0/16"));
    assertThat(list.find("10.2.2.3")).contains(Cidr.parse("10.0.0.0/8"));
    assertThat(list.find("11.2.2.3")).contains(Cidr.parse("0.0.0.0/0"));
    assertThat(list.find("2001:db8:1::9")).contains(Cidr.parse("2001:db8::/32"));
    assertThat(list.find("2001:db9::1")).isEmpty();
    assertThat(list.find("::1")).contains(Cidr.parse("::1/128"));
    assertThat(list.find("example.com")).isEmpty();
  }

  @Test
  void whatIsNoRangeIsRefused() {
    for (String text :
        new String[] {
          "10.0.0.1/8", "10.0.0.0/33", "10.0.0/8", "300.0.0.0/8", "host/8", "::/129", "", "/8"
        }) {
      assertThatThrownBy(() -> Cidr.parse(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void theFirstRuleThatMatchesJudges() {
    AddressList denied = list("10.0.0.0/8");
    AddressList allowed = list("10.1.0.0/16", "192.168.0.0/16");
    Precedence precedence =
        Precedence.of(List.of(override(ManualOverride.Kind.PIN, 100, 200)), denied, allowed);
    assertThat(kind(precedence, "10.1.2.3", 99)).isEqualTo(Treatment.Kind.REFUSED);
    assertThat(kind(precedence, "10.1.2.3", 100)).isEqualTo(Treatment.Kind.PINNED);
    assertThat(kind(precedence, "10.1.2.3", 199)).isEqualTo(Treatment.Kind.PINNED);
    assertThat(kind(precedence, "10.1.2.3", 200)).isEqualTo(Treatment.Kind.REFUSED);
    assertThat(kind(precedence, "192.168.1.1", 0)).isEqualTo(Treatment.Kind.LIMITED);
    assertThat(kind(precedence, "8.8.8.8", 0)).isEqualTo(Treatment.Kind.JUDGED);
    AdaptivePolicy.Mode off = AdaptivePolicy.Mode.OFF;
    assertThat(precedence.treatment("u", "8.8.8.8", true, null, 0).why()).contains("bot");
    assertThat(precedence.treatment("u", "8.8.8.8", false, off, 0).kind())
        .isEqualTo(Treatment.Kind.LIMITED);
    assertThat(kind(Precedence.standard(), "127.0.0.1", 0)).isEqualTo(Treatment.Kind.LIMITED);
    assertThat(kind(Precedence.standard(), "::1", 0)).isEqualTo(Treatment.Kind.LIMITED);
  }

  @Test
  void anOverrideNeedsAnAuthorAReasonAndTime() {
    assertThatThrownBy(() -> override(ManualOverride.Kind.BLOCK, 5, 5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                new ManualOverride(
                    "u", ManualOverride.Kind.BLOCK, Tier.NORMAL, " ", "x", 0, Optional.empty()))
        .hasMessageContaining("author");
  }
}
