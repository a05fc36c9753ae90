package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Keys: no two texts share one, each has a slot of its own making, none is long. */
class RedisKeysTest {

  private static final List<String> PIECES =
      List.of(
          "a",
          "b",
          ":",
          "{",
          "}",
          "{}",
          "%",
          "%0025",
          "#",
          "*",
          " ",
          "\n",
          "\0",
          "\u00e9",
          "e\u0301",
          "\ud83d\ude00",
          "\ud83d",
          "\ude00",
          "\ufffd",
          "0",
          "x".repeat(40));

  @Test
  void isInjectiveOverAwkwardTexts() {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    RedisKeys keys = new RedisKeys("weir", "api", false);
    Map<String, String> texts = new HashMap<>();
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int pieces = random.nextInt(6); pieces > 0; pieces--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      String before = texts.put(text(keys.of(text.toString())), text.toString());
      if (before != null) {
        assertThat(before).as("two texts with one key, seed %d", seed).isEqualTo(text.toString());
      }
    }
  }

  @Test
  void namesWithATagAreInjectiveAndShareTheSlotOfTheirTag() {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    RedisKeys plain = new RedisKeys("weir", "api", false);
    RedisKeys tagged =
        new RedisKeys("weir", "api", false, key -> key.substring(0, key.length() / 2));
    RedisKeys one = new RedisKeys("weir", "other", false, key -> "");
    Map<String, String> names = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int pieces = random.nextInt(6); pieces > 0; pieces--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      String key = text.toString();
      for (RedisKeys keys : List.of(plain, tagged, one)) {
        byte[] name = keys.of(key);
        String known = System.identityHashCode(keys) + key;
        for (byte[] each : List.of(name, keys.reservations(name))) {
          String before = names.put(text(each), known);
          if (before != null) {
            assertThat(before).as("two keys with one name, seed %d", seed).isEqualTo(known);
          }
          assertThat(Slots.of(each)).isEqualTo(Slots.of(name));
        }
      }
      assertThat(Slots.of(one.of(key))).isEqualTo(Slots.of(one.of("")));
    }
  }

  @Test
  void prefixesAndPoliciesAreSpacesOfTheirOwn() {
    assertThat(
            List.of(
                text(new RedisKeys("a", "b", false).of("c:d")),
                text(new RedisKeys("a", "b", false).of("c")),
                text(new RedisKeys("a:b", "b", false).of("c")),
                text(new RedisKeys("a", "b-c", false).of("d")),
                text(new RedisKeys("a", "b", true).of("c"))))
        .doesNotHaveDuplicates();
  }

  @Test
  void theSlotIsThatOfThePolicyAndTheKeyWhateverTheText() {
    RedisKeys keys = new RedisKeys("weir", "api", false);
    for (String piece : PIECES) {
      for (String key : List.of("", piece, piece + piece, "u" + piece + "v")) {
        byte[] redisKey = keys.of(key);
        String tag = new String(Slots.hashed(redisKey), StandardCharsets.ISO_8859_1);
        assertThat(text(redisKey)).isEqualTo("weir:{" + tag + "}");
        assertThat(tag).startsWith("api:");
        byte[] companion = (text(redisKey) + ":other").getBytes(StandardCharsets.US_ASCII);
        assertThat(Slots.of(companion)).isEqualTo(Slots.of(redisKey));
      }
    }
  }

  @Test
  void longKeysAndSecretsAreHashed() {
    RedisKeys plain = new RedisKeys("weir", "api", false);
    assertThat(plain.of("x".repeat(1 << 20))).hasSizeLessThan(80);
    assertThat(plain.of("x".repeat(RedisKeys.LONGEST_PLAIN))).hasSizeLessThan(150);
    RedisKeys secret = new RedisKeys("weir", "api", true);
    assertThat(text(secret.of("sk_live_secret")))
        .doesNotContain("secret")
        .startsWith("weir:{api:#");
    assertThat(secret.of("sk_live_secret")).isEqualTo(secret.of("sk_live_secret"));
  }

  @Test
  void aPrefixThatCouldEndTheTagIsRefused() {
    for (String prefix : List.of("", "{", "a}", "a b", "x".repeat(65), "\u00e9")) {
      assertThatThrownBy(() -> new RedisKeys(prefix, "api", false))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("keyPrefix must be 1 to 64");
    }
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.ISO_8859_1);
  }
}
