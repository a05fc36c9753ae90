package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.TestClient.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is sent, the answer is a problem that names the field, and the service stays up. */
@SuppressWarnings("NullAway.Init")
class BadInputTest {

  private static RunningServer server;
  private static TestClient client;

  @BeforeAll
  static void start() {
    server = RunningServer.inMemory();
    client = server.client();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void theServiceStillAnswers() {
    assertThat(client.send("GET", "/healthz", "").status()).isEqualTo(200);
    assertThat(client.send("POST", "/v1/peek", TestClient.call("demo", "u")).status())
        .isEqualTo(200);
  }

  private static void isProblem(Reply reply, int status, String field, String detail) {
    assertThat(reply.status()).as(reply.response().body()).isEqualTo(status);
    assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(reply.json().get("status").asInt()).isEqualTo(status);
    assertThat(reply.json().get("title").asText()).isNotBlank();
    assertThat(reply.json().path("field").asText()).isEqualTo(field);
    assertThat(reply.json().get("detail").asText()).contains(detail).doesNotContain("Exception");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{'policy':'nope','key':'u'}; 404; policy; no policy 'nope'",
        "{'policy':'demo','key':'u','cost':-1}; 400; cost; from 0 to 1000000000, and was -1",
        "{'policy':'demo','key':'u','cost':1000000001}; 400; cost; from 0 to 1000000000",
        "{'policy':'demo','key':'u','cost':1.5}; 400; cost; whole number",
        "{'policy':'demo','key':'u','cost':1e3}; 400; cost; whole number",
        "{'policy':'demo','key':'u','cost':99999999999999999999}; 400; cost; whole number",
        "{'policy':'demo','key':'u','cost':'1'}; 400; cost; was '1'",
        "{'policy':'demo','key':'u','cost':true}; 400; cost; was true",
        "{'policy':'demo','key':'u','cost':[1]}; 400; cost; was a list",
        "{'policy':'demo','key':1}; 400; key; must be a text, and was 1",
        "{'policy':'demo','key':null}; 400; key; is missing",
        "{'policy':'demo'}; 400; key; is missing",
        "{'key':'u'}; 400; policy; is missing",
        "{'policy':['demo'],'key':'u'}; 400; policy; was a list",
        "{'policy':'demo','key':'u','costs':1}; 400; costs; did you mean 'cost'?",
        "{'policy':'demo','policy':'demo','key':'u'}; 400; policy; there twice",
        "{'policy':'demo','key':'u'} {}; 400; ``; not valid JSON",
        "{'policy':'demo','key':'u'; 400; ``; not valid JSON (line 1",
        "nonsense; 400; ``; not valid JSON",
        "[]; 400; ``; must be an object with fields, and was a list",
        "null; 400; ``; was null",
        "``; 400; ``; the body is empty",
        "[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]; 400; ``; nested too deeply",
      })
  void callsThatCannotBeUnderstood(
      @Nullable String body, int status, @Nullable String field, String detail) {
    String json = body == null ? "" : body.replace('\'', '"');
    Reply reply = client.send("POST", "/v1/acquire", json);
    isProblem(reply, status, field == null ? "" : field, detail);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{}; limits; is missing",
        "{'limits':{}}; limits; must be a list, and was an object",
        "{'limits':[]}; limits; must have from 1 to 16 limits, and has 0",
        "{'limits':[1]}; limits[0]; must be an object",
        "{'limit':[]}; limit; did you mean 'limits'?",
        "{'name':'other','limits':[]}; name; must be 'p' or absent",
        "{'limits':[{}]}; limits[0].algorithm; is missing",
        "{'limits':[{'algorithm':'token-bukket'}]}; limits[0].algorithm; did you mean",
        "{'limits':[{'algorithm':'fixed-window','limit':5}]}; limits[0].window; is missing",
        "{'limits':[{'algorithm':'fixed-window','limit':0,'window':'1s'}]}; limits[0].limit; 0",
        "{'limits':[{'algorithm':'fixed-window','limit':1,'window':'1y'}]}; limits[0].window; 1y",
        "{'limits':[{'algorithm':'fixed-window','limit':1,'window':60}]};"
            + " limits[0].window; such as 60s",
        "{'limits':[{'algorithm':'fixed-window','limit':1,'window':'999us'}]};"
            + " limits[0].window; from 1 ms to 3653 days",
        "{'limits':[{'algorithm':'fixed-window','limit':1,'window':'3654d'}]};"
            + " limits[0].window; from 1 ms to 3653 days",
        "{'limits':[{'algorithm':'fixed-window','limit':1,'window':'1s','capacity':1}]};"
            + " limits[0].capacity; no such field",
        "{'limits':[{'algorithm':'token-bucket','capacity':1000000000,'refillTokens':1,"
            + "'refillPeriod':'3653d'}]}; limits[0].refillPeriod; longest that is exact",
        "{'limits':[{'algorithm':'leaky-bucket','capacity':1,'leakPermits':1,'leakPeriod':'1s',"
            + "'mode':'x'}]}; limits[0].mode; policing, shaping",
        "{'limits':[{'name':'a b','algorithm':'fixed-window','limit':1,'window':'1s'}]};"
            + " limits; 1 to 64 letters",
      })
  void policiesThatCannotBeUsed(String body, String field, String detail) {
    Reply reply = client.send("PUT", "/v1/policies/p", body.replace('\'', '"'));
    isProblem(reply, 400, field, detail);
    isProblem(client.send("GET", "/v1/policies/p", ""), 404, "policy", "no policy 'p'");
  }

  @Test
  void bodiesThatAreTooLargeOrNotText() {
    byte[] large = "a".repeat(2_000_000).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    isProblem(
        client.sendBytes("POST", "/v1/acquire", large).join(), 413, "", "at most 65536 bytes");
    byte[] broken = {'{', '"', (byte) 0xff, (byte) 0xfe, '"', ':', '1', '}'};
    isProblem(client.sendBytes("POST", "/v1/acquire", broken).join(), 400, "", "not valid JSON");
  }

  @Test
  void pathsMethodsTypesAndOriginsThatAreNotOurs() {
    String call = TestClient.call("demo", "u");
    Reply method = client.send("GET", "/v1/acquire", "");
    isProblem(method, 405, "", "must be one of POST");
    assertThat(method.header("Allow")).isEqualTo("POST");
    isProblem(client.send("DELETE", "/v1/policies/demo", ""), 405, "", "GET, HEAD, PUT");
    isProblem(client.send("POST", "/v1/nothing", call), 404, "", "nothing is here");
    isProblem(client.send("GET", "/nothing", ""), 404, "", "nothing is here");
    isProblem(client.send("GET", "/webjars/../../etc/passwd", ""), 400, "", "bad request");
    isProblem(
        client.send("POST", "/v1/acquire", call, "Content-Type", "application/xml"),
        415,
        "",
        "must be application/json");
    isProblem(
        client.send("POST", "/v1/acquire", call, "Origin", "http://evil.example"),
        403,
        "",
        "is not this service");
    isProblem(client.send("PUT", "/v1/policies/a%20b", "{}"), 400, "limits", "is missing");
    isProblem(
        client.send(
            "PUT",
            "/v1/policies/a%20b",
            "{\"limits\":[{\"algorithm\":\"fixed-window\",\"limit\":1,\"window\":\"1s\"}]}"),
        400,
        "name",
        "was 'a b'");
  }
}
