package dev.weir.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonFingerprintTest {

  private static final int BODIES = 2_000;

  private static String of(String body) {
    return JsonFingerprint.of("POST", "/orders", body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void anotherSpellingIsTheSameRequest() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < BODIES; i++) {
      Map<String, Object> body = object(random, 3);
      String first = of(written(body, random));
      assertThat(first).startsWith("POST /orders ");
      assertThat(of(written(body, random))).as("seed %d, %s", seed, body).isEqualTo(first);
      Map<String, Object> other = new LinkedHashMap<>(body);
      other.put("extra" + random.nextInt(100), i);
      assertThat(of(written(other, random))).as("seed %d, %s", seed, other).isNotEqualTo(first);
    }
  }

  private static Map<String, Object> object(Random random, int depth) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int i = random.nextInt(5); i >= 0; i--) {
      object.put(
          "k" + random.nextInt(50) + (random.nextInt(9) == 0 ? "\u00e9\"\n" : ""),
          value(random, depth));
    }
    return object;
  }

  private static Object value(Random random, int depth) {
    return switch (depth == 0 ? random.nextInt(4) : random.nextInt(6)) {
      case 0 -> random.nextInt(1_000);
      case 1 -> random.nextInt(1_000) / 8.0;
      case 2 -> "text " + random.nextInt(1_000) + "/\u20ac\ud83d\ude00";
      case 3 -> random.nextBoolean();
      case 4 -> object(random, depth - 1);
      default -> List.of(value(random, depth - 1), value(random, depth - 1));
    };
  }

  private static String written(Object value, Random random) {
    String space = " ".repeat(random.nextInt(2)) + "\n".repeat(random.nextInt(2));
    if (value instanceof Map<?, ?> map) {
      List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
      Collections.shuffle(entries, random);
      List<String> written = new ArrayList<>();
      for (Map.Entry<?, ?> entry : entries) {
        written.add(
            written(entry.getKey(), random) + space + ":" + written(entry.getValue(), random));
      }
      return space + "{" + String.join("," + space, written) + "}";
    }
    if (value instanceof List<?> list) {
      return "["
          + String.join(space + ",", list.stream().map(item -> written(item, random)).toList())
          + "]"
          + space;
    }
    if (value instanceof Integer number) {
      return number + List.of("", ".0", "e0", ".00E+0").get(random.nextInt(4));
    }
    return value instanceof String text ? quoted(text, random) : value.toString();
  }

  private static String quoted(String text, Random random) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int c : text.codePoints().toArray()) {
      if (c < ' ' || c == '"' || random.nextInt(4) == 0) {
        // Both halves of a pair, or neither: one alone is no character in UTF-8.
        Character.toString(c).chars().forEach(half -> quoted.append("\\u%04x".formatted(half)));
      } else {
        quoted.appendCodePoint(c);
      }
    }
    return quoted.append('"').toString();
  }

  @Test
  void whatIsNoJsonCountsByMethodAndRoute() {
    for (String body :
        List.of(
            "",
            "{",
            "{\"a\":1",
            "a=b",
            "{\"a\":1e999}",
            "{\"a\":1,\"a\":2}",
            "[1] x",
            "nul",
            "[".repeat(65) + "]".repeat(65),
            "[" + "1,".repeat(40_000) + "1]")) {
      assertThat(of(body))
          .as(body.substring(0, Math.min(20, body.length())))
          .isEqualTo("POST /orders");
    }
    byte[] malformed = {'[', '"', (byte) 0xff, '"', ']'};
    assertThat(JsonFingerprint.of("POST", "/orders", malformed)).isEqualTo("POST /orders");
    assertThat(of("[".repeat(64) + "]".repeat(64))).isNotEqualTo("POST /orders");
    assertThat(of("[\"\\\"[[[[\"]")).isNotEqualTo("POST /orders");
    assertThat(of("{\"a\":1}")).isNotEqualTo(of("{\"a\":\"1\"}"));
    assertThat(of("[1,2]")).as("the order of a list matters").isNotEqualTo(of("[2,1]"));
  }
}
