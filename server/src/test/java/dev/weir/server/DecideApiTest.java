package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.TestClient.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests by what is known of them: every field of a policy acts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DecideApiTest {

  private static final String POLICIES =
      """
      trustedProxies: [10.0.0.0/8]
      policies:
        - name: sign-in
          match: {domain: Shop.example, method: POST, route: [/login, "/users/{id}/password"]}
          key: address
          limits: [{name: few, algorithm: fixed-window, limit: 2, window: 1h}]
        - name: files
          match: {class: static}
          key: [address, header:X-Tenant]
          mode: shadow
          limits: [{algorithm: fixed-window, limit: 1, window: 1h}]
        - name: keyed
          match: {route: /keyed/**}
          key: api-key
          limits: [{algorithm: fixed-window, limit: 1, window: 1h}]
        - name: claimed
          match: {route: /claimed}
          key: claim:sub
          limits: [{algorithm: fixed-window, limit: 1, window: 1h}]
        - name: watched
          match: {domain: watched}
          key: address
          limits: [{algorithm: fixed-window, limit: 1000, window: 1h}]
          adaptive: {mode: enforce}
        - name: api
          match: {domain: shop.example}
          cost: 2
          costs:
            - {route: /export, cost: 7}
          limits: [{algorithm: fixed-window, limit: 10, window: 1h}]
          plans:
            by: header:X-Plan
            limits:
              gold: [{algorithm: fixed-window, limit: 100, window: 1h}]
      """;

  private RunningServer server;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("weir.yaml");
    Files.writeString(file, POLICIES);
    server = RunningServer.with(file, null);
  }

  @AfterAll
  void close() {
    server.close();
  }

  private Reply decide(String body) {
    return server.client().send("POST", "/v1/decide", body.replace('\'', '"'));
  }

  private static String field(Reply reply, String name) {
    return reply.json().path(name).asText();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{'domain':'shop.example','method':'POST','path':'/login?x','address':'9.9.9.1'}"
            + "~sign-in~address:9.9.9.1~1",
        "{'domain':'shop.example','method':'post','path':'//Users/../users/7/%70assword/',"
            + "'address':'::ffff:9.9.9.2'}~sign-in~address:9.9.9.2~1",
        "{'domain':'shop.example','method':'GET','path':'/login','user':'a|b'}"
            + "~api~user:a\\|b~2",
        "{'domain':'shop.example','path':'/export','address':'2001:db8::1'}"
            + "~api~address:2001:db8:0:0:0:0:0:0/64~7",
        "{'domain':'shop.example','path':'/x','user':'costly','cost':3}~api~user:costly~3",
        "{'path':'/a.css','address':'9.9.9.3','headers':{'x-tenant':'t'}}"
            + "~files~address:9.9.9.3|header.x-tenant:t~1",
        "{'path':'/a.css','address':'10.0.0.1','headers':{'X-Forwarded-For':'1.1.1.1, 9.9.9.4'}}"
            + "~files~address:9.9.9.4|header.x-tenant:~1",
        "{'path':'/a.css','address':'9.9.9.5','headers':{'X-Forwarded-For':'1.1.1.1'}}"
            + "~files~address:9.9.9.5|header.x-tenant:~1",
        "{'path':'/claimed','claims':{'sub':'s1'}}~claimed~claim.sub:s1~1",
      })
  void aRequestIsMatchedAndCountedForSomebody(String body, String policy, String key, long cost) {
    Reply reply = decide(body);
    assertThat(field(reply, "policy")).as(reply.response().body()).isEqualTo(policy);
    assertThat(field(reply, "key")).isEqualTo(key);
    assertThat(reply.json().get("cost").asLong()).isEqualTo(cost);
  }

  @Test
  void whatNoPolicyIsForGoesOn() {
    Reply reply = decide("{'domain':'elsewhere','path':'/x'}");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.response().body()).isEqualTo("{\"allowed\":true,\"policy\":null}");
  }

  @Test
  void aRefusalIsAProblemWithItsHeaders() {
    String body = "{'domain':'shop.example','method':'POST','path':'/login','address':'9.8.0.1'}";
    decide(body);
    assertThat(decide(body).status()).isEqualTo(200);
    Reply refused = decide(body);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(field(refused, "limitedBy")).isEqualTo("few");
    assertThat(refused.header("Retry-After")).isEqualTo("3600");
    assertThat(refused.header("Cache-Control")).isEqualTo("no-store");
    assertThat(refused.json().has("tier")).isFalse();
  }

  @Test
  void aPolicyInShadowOnlyTells() {
    String body = "{'path':'/shadow.css','address':'9.8.0.2'}";
    assertThat(decide(body).json().has("wouldBeAllowed")).isFalse();
    Reply second = decide(body);
    assertThat(second.status()).isEqualTo(200);
    assertThat(second.json().get("allowed").asBoolean()).isTrue();
    assertThat(second.json().get("wouldBeAllowed").asBoolean()).isFalse();
    Reply byName = server.client().acquire("files", "address:9.8.0.2|header.x-tenant:");
    assertThat(byName.status()).isEqualTo(200);
    assertThat(byName.json().get("wouldBeAllowed").asBoolean()).isFalse();
  }

  @Test
  void aSecretIsNoPartOfAKey() {
    Reply reply = decide("{'path':'/keyed/x','apiKey':'hunter2'}");
    assertThat(field(reply, "key")).matches("api-key:#[0-9a-f]{32}");
    assertThat(decide("{'path':'/keyed/x','headers':{'X-API-Key':'hunter2'}}").status())
        .isEqualTo(429);
    assertThat(decide("{'path':'/keyed/x','apiKey':'hunter3'}").status()).isEqualTo(200);
  }

  @Test
  void aPlanHasLimitsOfItsOwn() {
    String gold = "{'domain':'shop.example','path':'/x','user':'g','headers':{'X-Plan':'gold'}}";
    assertThat(decide(gold).json().get("remaining").asLong()).isEqualTo(98);
    Reply other = decide(gold.replace("gold", "silver"));
    assertThat(other.json().get("remaining").asLong()).isEqualTo(8);
    Reply byName = server.client().acquire("api.gold", "user:g");
    assertThat(byName.json().get("remaining").asLong()).isEqualTo(97);
  }

  @Test
  void behaviourThatIsReportedBlocks() {
    String scanner = "{'domain':'watched','address':'9.7.0.1','path':'/.env%d'%s}";
    Reply last = decide(scanner.formatted(0, ""));
    for (int i = 0; i < 30 && last.status() == 200; i++) {
      Reply noted =
          server
              .client()
              .send("POST", "/v1/report", scanner.formatted(i, ",'status':404").replace('\'', '"'));
      assertThat(noted.status()).isEqualTo(202);
      assertThat(noted.json().get("noted").asInt()).isEqualTo(1);
      last = decide(scanner.formatted(i + 1, ""));
    }
    assertThat(last.status()).isEqualTo(429);
    assertThat(field(last, "type")).endsWith("#abnormal-usage-detected");
    assertThat(last.json().get("retryAfterMs").asLong()).isBetween(50_000L, 61_000L);
    assertThat(Integer.parseInt(last.header("Retry-After"))).isBetween(50, 61);
    assertThat(decide("{'domain':'watched','address':'9.7.0.2','path':'/'}").status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'path':'login'}|path|must start with /",
        "{'method':'GE T'}|method|must be a method",
        "{'address':'localhost'}|address|must be an IPv4 or IPv6 address",
        "{'headers':['a']}|headers|must be an object",
        "{'headers':{'a':{}}}|headers.a|must be a text",
        "{'usr':'a'}|usr|did you mean 'user'?",
        "{'cost':-1}|cost|from 0 to",
      })
  void whatCannotBeUnderstoodIsSaid(String body, String field, String detail) {
    Reply reply = decide(body);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(field(reply, "field")).isEqualTo(field);
    assertThat(field(reply, "detail")).contains(detail);
  }
}
