package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Paths, patterns, methods and classes of requests. */
class RouteTest {

  @Test
  void b25SpellingsOfAPathAreOne() {
    for (String spelling :
        List.of(
            "/login",
            "/login/",
            "/LOGIN",
            "//login",
            "/./login",
            "/%6cogin",
            "/login;jsessionid=x",
            "/login?a=b",
            "/login%2f",
            "/x/../login",
            "/login.",
            "/login%20",
            "/../login",
            "\\login",
            "/;a=b/login")) {
      assertThat(RoutePath.normal(spelling)).as(spelling).isEqualTo("/login");
      assertThat(PathPattern.parse("/login").matches(spelling)).as(spelling).isTrue();
    }
    assertThat(RoutePath.normal("")).isEqualTo("/");
    assertThat(RoutePath.normal("/a%")).isEqualTo("/a%");
  }

  @Test
  void normalIsNormal() {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    String alphabet = "/aB.;%2f é\\?";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder path = new StringBuilder("/");
      for (int j = random.nextInt(20); j > 0; j--) {
        path.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      String normal = RoutePath.normal(path.toString());
      assertThat(normal).as("seed %d: %s", seed, path).startsWith("/").doesNotContain("//");
      assertThat(normal.length() == 1 || !normal.endsWith("/"))
          .as("seed %d: %s", seed, path)
          .isTrue();
    }
  }

  @Test
  void patterns() {
    assertThat(PathPattern.parse("/orders/{id}").matches("/orders/7")).isTrue();
    assertThat(PathPattern.parse("/orders/{id}").matches("/orders")).isFalse();
    assertThat(PathPattern.parse("/orders/{id}").matches("/orders/7/lines")).isFalse();
    assertThat(PathPattern.parse("/orders/*/lines").matches("/orders/7/lines")).isTrue();
    assertThat(PathPattern.parse("/api/**").matches("/api")).isTrue();
    assertThat(PathPattern.parse("/api/**").matches("/API/a/b")).isTrue();
    assertThat(PathPattern.parse("/api/**").matches("/apis/a")).isFalse();
    assertThat(PathPattern.parse("/**").matches("/")).isTrue();
    assertThat(PathPattern.parse("/").matches("/a")).isFalse();
    for (String none : List.of("", "api", "/a/**/b", "/a**")) {
      assertThatThrownBy(() -> PathPattern.parse(none))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + none + "'");
    }
  }

  @Test
  void b87MethodsAreBounded() {
    assertThat(RouteKey.of("HEAD", "/x", "/x")).isEqualTo(RouteKey.of("GET", "/x", "/x"));
    assertThat(RouteKey.method("get")).isEqualTo("OTHER");
    assertThat(RouteKey.method("FOO")).isEqualTo(RouteKey.method("BAR"));
  }

  @Test
  void aPatternComesBeforeThePath() {
    FakeRequest request = new FakeRequest().path("/Orders/17").route("/orders/{id}");
    assertThat(RouteKey.of(request).text()).isEqualTo("GET /orders/{id}");
    assertThat(RouteKey.of(request.route(null)).text()).isEqualTo("GET /orders/:id");
  }

  @Test
  void b55OnlyRealPreflightsAreOfTheirClass() {
    FakeRequest bare = new FakeRequest().method("OPTIONS");
    assertThat(RequestClass.of(bare)).isEqualTo(RequestClass.ORDINARY);
    assertThat(RequestClass.of(bare.header("Origin", "https://a.b")))
        .isEqualTo(RequestClass.ORDINARY);
    assertThat(RequestClass.of(bare.header("Access-Control-Request-Method", "GET")))
        .isEqualTo(RequestClass.PREFLIGHT);
    assertThat(RequestClass.of(bare.method("GET"))).isEqualTo(RequestClass.ORDINARY);
  }

  @Test
  void b81FilesOfPagesAreReadNotWritten() {
    FakeRequest file = new FakeRequest().path("/assets/app.css");
    assertThat(RequestClass.of(file)).isEqualTo(RequestClass.STATIC);
    assertThat(RequestClass.of(file.method("HEAD"))).isEqualTo(RequestClass.STATIC);
    assertThat(RequestClass.of(file.method("POST"))).isEqualTo(RequestClass.ORDINARY);
  }

  @Test
  void aSharedPrivateAddressIsNoticedOnce() {
    assertThat(warnings("10.0.0.1", 1.0)).isEqualTo(1);
    assertThat(warnings("fd00::1", 0.99)).isEqualTo(1);
    assertThat(warnings("10.0.0.1", 0.8)).isZero();
    assertThat(warnings("203.0.113.1", 1.0)).as("a public address").isZero();
    assertThat(warnings("no address", 1.0)).isZero();
  }

  private static int warnings(String address, double share) {
    SharedAddressDetector detector = new SharedAddressDetector();
    Random random = new Random(3);
    int warnings = 0;
    for (int i = 0; i < 3_000; i++) {
      String peer = random.nextDouble() < share ? address : "198.51.100." + random.nextInt(256);
      warnings += detector.note(peer).isPresent() ? 1 : 0;
    }
    return warnings;
  }
}
