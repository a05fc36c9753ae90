package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.http.ClientIdentity.Missing;
import dev.weir.http.ClientKey.Outcome;
import dev.weir.local.LocalRateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who a request is from: never what a client claims to be, and never all the unknown as one. */
class ClientIdentityTest {

  private static final TrustedProxies PROXIES = TrustedProxies.of("10.0.0.0/8", "::1");

  private static ClientIdentity by(IdentitySource... sources) {
    ClientIdentity.Builder builder = ClientIdentity.builder().trustedProxies(PROXIES);
    for (IdentitySource source : sources) {
      builder.source(source);
    }
    return builder.build();
  }

  @Test
  void theFirstSourceThatKnowsTells() {
    ClientIdentity identity =
        by(
            IdentitySource.principal(),
            IdentitySource.apiKey("X-Api-Key", key -> key.startsWith("given-")),
            IdentitySource.address());
    FakeRequest request = new FakeRequest().peer("203.0.113.9");
    assertThat(identity.of(request)).isEqualTo(new ClientKey(Outcome.KNOWN, "address:203.0.113.9"));
    request.header("X-Api-Key", "given-1");
    assertThat(identity.of(request).text()).startsWith("key:").doesNotContain("given");
    request.principal("alice");
    assertThat(identity.of(request).text()).isEqualTo("user:alice");
  }

  @Test
  void b54AnInventedKeyIsNoWayToABucketOfOnesOwn() {
    ClientIdentity identity =
        by(IdentitySource.apiKey("X-Api-Key", "given"::equals), IdentitySource.address());
    Set<String> keys = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      keys.add(
          identity.of(new FakeRequest().peer("203.0.113.9").header("X-Api-Key", "k" + i)).text());
    }
    assertThat(keys).containsExactly("address:203.0.113.9");
  }

  @Test
  void b14ForwardedAddressesAreReadFromTheRightAndFromProxiesOnly() {
    ClientIdentity identity = by(IdentitySource.address());
    Random random = new Random(1);
    Set<String> keys = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      String invented = random.nextInt(256) + ".1.2." + random.nextInt(256);
      keys.add(
          identity
              .of(
                  new FakeRequest()
                      .peer("10.0.0.1")
                      .header("X-Forwarded-For", invented)
                      .header("X-Forwarded-For", "198.51.100.9, 10.3.3.3")
                      .header("Forwarded", "for=" + invented)
                      .header("X-Real-IP", invented))
              .text());
    }
    assertThat(keys).containsExactly("address:198.51.100.9");
    keys.clear();
    for (int i = 0; i < 50; i++) {
      keys.add(
          identity
              .of(new FakeRequest().peer("203.0.113.5").header("X-Forwarded-For", "192.0.2." + i))
              .text());
    }
    assertThat(keys).containsExactly("address:203.0.113.5");
  }

  @Test
  void b14EndlessHeadersAreReadToABound() {
    String hops = "10.0.0.7, ".repeat(500) + "10.0.0.8";
    assertThat(
            by(IdentitySource.address())
                .of(new FakeRequest().peer("10.0.0.1").header("X-Forwarded-For", hops))
                .text())
        .isEqualTo("address:10.0.0.7");
  }

  @Test
  void theHeaderForwardedIsReadIfTheProxiesWriteThatOne() {
    ClientIdentity identity =
        ClientIdentity.builder()
            .trustedProxies(
                TrustedProxies.of(TrustedProxies.Header.FORWARDED, List.of("10.0.0.0/8")))
            .source(IdentitySource.address())
            .build();
    FakeRequest request =
        new FakeRequest()
            .peer("10.0.0.1")
            .header("X-Forwarded-For", "192.0.2.1")
            .header("Forwarded", "for=192.0.2.2, for=\"[2001:db8:1:2::3]:4711\";proto=https");
    assertThat(identity.of(request).text()).isEqualTo("address:2001:db8:1:2:0:0:0:0/64");
    assertThat(identity.address(request)).contains("2001:db8:1:2:0:0:0:3");
    request.header("Forwarded", "for=_hidden");
    assertThat(identity.of(request).text()).as("the peer").isEqualTo("address:10.0.0.1");
  }

  @Test
  void b14AHeaderWithAnIdentityIsBelievedFromProxiesOnly() {
    ClientIdentity identity = by(IdentitySource.proxyHeader("X-User"), IdentitySource.address());
    FakeRequest direct = new FakeRequest().peer("203.0.113.5").header("X-User", "victim");
    assertThat(identity.of(direct).text()).isEqualTo("address:203.0.113.5");
    FakeRequest proxied = new FakeRequest().peer("10.0.0.1").header("X-User", "alice");
    assertThat(identity.of(proxied).text()).isEqualTo("header.x-user:alice");
  }

  @Test
  void b54WhoCannotBeToldNeverSharesABucketWithOthers() {
    FakeRequest nobody = new FakeRequest().peer("203.0.113.5");
    for (String blank : List.of("", " ", "\t")) {
      nobody.principal(blank);
      assertThat(missing(Missing.REFUSE, nobody).outcome()).isEqualTo(Outcome.REFUSED);
      assertThat(missing(Missing.SKIP, nobody).outcome()).isEqualTo(Outcome.SKIPPED);
    }
    ClientKey anonymous = missing(Missing.ANONYMOUS_BY_ADDRESS, nobody);
    assertThat(anonymous)
        .isEqualTo(new ClientKey(Outcome.ANONYMOUS, "anonymous&address:203.0.113.5"));
    for (String peer : new String[] {"", "unix:/run/app.sock", null}) {
      nobody.peer(peer);
      assertThat(missing(Missing.ANONYMOUS_BY_ADDRESS, nobody).outcome())
          .isEqualTo(Outcome.REFUSED);
    }
  }

  private static ClientKey missing(Missing missing, FakeRequest request) {
    return ClientIdentity.builder()
        .source(IdentitySource.principal())
        .whenMissing(missing)
        .build()
        .of(request);
  }

  @Test
  void b54NoTwoClientsShareAKey() {
    List<String> texts =
        List.of(
            "a",
            "b",
            "a&b",
            "a%26b",
            "user:a",
            "a&user:b",
            "%",
            "%25",
            "&",
            "127.0.0.1",
            "*",
            "a\nb",
            "\0",
            "e\u0301",
            "\u00e9",
            "A@b.c",
            "a@b.c",
            "x".repeat(300),
            "x".repeat(301));
    Map<String, List<String>> seen = new HashMap<>();
    List<List<String>> clients = new ArrayList<>();
    for (String first : texts) {
      clients.add(List.of("one", first));
      for (String second : texts) {
        clients.add(List.of("two", first, second));
      }
    }
    clients.add(List.of("address", "127.0.0.1"));
    for (List<String> client : clients) {
      String key = key(client);
      assertThat(seen.put(key, client)).as("%s and the one before share %s", client, key).isNull();
      assertThat(key.length()).isLessThan(1_000);
    }
  }

  private static String key(List<String> client) {
    FakeRequest request = new FakeRequest().peer("203.0.113.1");
    return switch (client.get(0)) {
      case "one" -> by(IdentitySource.principal()).of(request.principal(client.get(1))).text();
      case "two" ->
          by(IdentitySource.all(IdentitySource.principal(), IdentitySource.claim("tenant")))
              .of(request.principal(client.get(1)).claim("tenant", client.get(2)))
              .text();
      default -> by(IdentitySource.address()).of(request.peer(client.get(1))).text();
    };
  }

  @Test
  void severalTogetherTellNothingIfOneIsMissing() {
    IdentitySource both =
        IdentitySource.all(IdentitySource.principal(), IdentitySource.claim("tenant"));
    assertThat(by(both).of(new FakeRequest().principal("a")).outcome()).isEqualTo(Outcome.REFUSED);
  }

  @Test
  void b12OneSiteOfIpv6IsOneClient() {
    ClientIdentity identity = by(IdentitySource.address());
    Random random = new Random(2);
    Set<String> keys = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      keys.add(
          identity
              .of(
                  new FakeRequest()
                      .peer("2001:db8:1:2:" + Long.toHexString(random.nextInt(65_536)) + "::7"))
              .text());
    }
    assertThat(keys).hasSize(1);
    assertThat(identity.of(new FakeRequest().peer("2001:db8:1:3::1")).text()).isNotIn(keys);
  }

  @Test
  void b80ManyPeopleBehindOneAddressAreNotOne() {
    ClientIdentity identity = by(IdentitySource.principal(), IdentitySource.address());
    RateLimiter limiter =
        LocalRateLimiter.create(
            RateLimitPolicy.of("api", FixedWindow.of(20, Duration.ofMinutes(1))));
    int served = 0;
    int abused = 0;
    for (int i = 0; i < 500; i++) {
      FakeRequest request = new FakeRequest().peer("203.0.113.7");
      abused += limiter.tryAcquire(identity.of(request).text()).allowed() ? 1 : 0;
      if (i < 250) {
        request.principal("user-" + i % 50);
        served += limiter.tryAcquire(identity.of(request).text()).allowed() ? 1 : 0;
      }
    }
    assertThat(served).isEqualTo(250);
    assertThat(abused).isEqualTo(20);
  }

  @Test
  void anIdentityNeedsASource() {
    assertThatThrownBy(() -> ClientIdentity.builder().build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("IdentitySource.address()");
  }
}
