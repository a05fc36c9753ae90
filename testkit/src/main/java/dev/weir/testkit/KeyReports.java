package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reports on the texts of keys: B54, B74. */
abstract class KeyReports extends HarnessTest {

  private static final Duration HOUR = Duration.ofHours(1);

  /** Texts that a careless encoding takes for each other, or chokes on. */
  private static final List<String> AWKWARD =
      List.of(
          "",
          " ",
          "  ",
          "\t",
          "\n",
          "\r\n",
          "\0",
          "a\0",
          "a\0b",
          "*",
          "?",
          "[a]",
          "\\",
          "\\x00",
          "%",
          "%00",
          "%2F",
          "/",
          "//",
          ":",
          "::",
          "a:b",
          "a:b:c",
          "a",
          "b:c",
          "a%3Ab",
          "a b",
          "a  b",
          "{",
          "}",
          "{}",
          "{a}",
          "{a}b",
          "a{b}c",
          "}{",
          "{{a}}",
          "127.0.0.1",
          "user:127.0.0.1",
          "ip:127.0.0.1",
          "user@example.com",
          "User@example.com",
          "user@example.co",
          "mtest",
          "test",
          "null",
          "undefined",
          "true",
          "0",
          "00",
          "-1",
          "\u00e9",
          "e\u0301",
          "\u00c9",
          "\u00df",
          "ss",
          "\u0131",
          "i",
          "I",
          "\u0130",
          "\ud83d\ude00",
          "\ud83d\ude01",
          "\ud83d",
          "\ude00",
          "\ufffd",
          "\ufeffa",
          "\u200ba",
          "weir",
          "weir:test",
          "test:",
          ":test",
          "test}",
          "\"",
          "'",
          "';--",
          "a,b",
          "a;b");

  private static Set<String> texts() {
    Set<String> texts = new LinkedHashSet<>();
    texts.addAll(AWKWARD);
    String megabyte = "x".repeat(1 << 20);
    texts.addAll(List.of(megabyte, megabyte + "x", megabyte + "y", "x".repeat(10_000)));
    for (int length : new int[] {63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513}) {
      texts.add("k".repeat(length));
    }
    return texts;
  }

  @Test
  void b54NoTwoTextsShareState() {
    RateLimiter limiter = limiter(Shape.FIXED_WINDOW_FIRST_CHARGE.of(2, HOUR));
    Set<String> texts = texts();
    for (String text : texts) {
      assertEquals(2, admitted(limiter, text, 3), () -> "key " + shown(text));
    }
    for (String text : texts) {
      assertEquals(0, limiter.peek(text).remaining(), () -> "key " + shown(text));
      limiter.reset(text);
      assertEquals(2, limiter.peek(text).remaining(), () -> "key " + shown(text));
    }
  }

  private static String shown(String text) {
    StringBuilder shown = new StringBuilder();
    text.chars().limit(40).forEach(unit -> shown.append("\\u%04x".formatted(unit)));
    return shown + " of length " + text.length();
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b54HardTextsWorkWithEveryAlgorithmAndSeveralLimits(Shape shape) {
    RateLimiter limiter = limiter(shape.of(2, HOUR), Shape.SLIDING_WINDOW_LOG.of(9, HOUR));
    for (String text : List.of("", "}", "{}", "{x}", "a}b{c", "\0", "\ud83d", "y".repeat(10_240))) {
      assertEquals(2, admitted(limiter, text, 3), () -> "key " + shown(text));
    }
  }

  @Test
  void b54PoliciesAndKeysAreNotRunTogether() {
    Limit limit = Shape.FIXED_WINDOW_FIRST_CHARGE.of(1, HOUR);
    List<List<String>> pairs =
        List.of(
            List.of("a", "b:c"),
            List.of("a", "b.c"),
            List.of("a", "b-c"),
            List.of("a.b", "c"),
            List.of("a-b", "c"),
            List.of("a_b", "c"),
            List.of("a", "b_c"),
            List.of("a.b", "b:c"),
            List.of("a", "}b"),
            List.of("a", ""),
            List.of("a1", "b"),
            List.of("a", "1b"),
            List.of("A", "b:c"),
            List.of("a", "same"),
            List.of("b", "same"),
            List.of("B", "same"));
    List<RateLimiter> limiters =
        pairs.stream()
            .map(pair -> store().limiter(RateLimitPolicy.of(pair.get(0), limit)))
            .toList();
    for (int i = 0; i < pairs.size(); i++) {
      allowed(limiters.get(i).tryAcquire(pairs.get(i).get(1)));
    }
    for (int i = 0; i < pairs.size(); i++) {
      refused(limiters.get(i).tryAcquire(pairs.get(i).get(1)));
    }
  }

  @Test
  @SuppressWarnings("NullAway") // the point of it
  void b54ANullKeyIsAnErrorEverywhere() {
    RateLimiter limiter = limiter(Shape.TOKEN_BUCKET_SMOOTH.of(1, HOUR));
    assertThrows(NullPointerException.class, () -> limiter.tryAcquire(null));
    assertThrows(NullPointerException.class, () -> limiter.tryAcquireAsync(null));
    assertThrows(NullPointerException.class, () -> limiter.peek(null));
    assertThrows(NullPointerException.class, () -> limiter.peekAsync(null, 1));
    assertThrows(NullPointerException.class, () -> limiter.reset(null));
    assertThrows(NullPointerException.class, () -> limiter.resetAsync(null));
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void b74ResetLeavesNothing(Shape shape) {
    for (RateLimiter limiter :
        List.of(
            limiter(shape.of(5, HOUR)),
            store()
                .limiter(
                    RateLimitPolicy.builder("several")
                        .limit("a", shape.of(5, HOUR))
                        .limit("b", Shape.SLIDING_WINDOW_COUNTER.of(5, HOUR))
                        .limit("c", Shape.SLIDING_WINDOW_LOG.of(5, HOUR))
                        .build()))) {
      ExpiryChecker checker = new ExpiryChecker(store(), limiter);
      for (String key : List.of(KEY, "", "{a}b", "z".repeat(5_000))) {
        Object untouched = store().storedState(limiter.policy(), key);
        assertEquals(5, admitted(limiter, key, 7));
        allowed(limiter.tryAcquire("other"));
        checker.reset(key);
        assertEquals(5, limiter.peek(key).remaining());
        assertEquals(Duration.ZERO, limiter.peek(key).resetAfter());
        limiter.reset("other");
        assertEquals(untouched, store().storedState(limiter.policy(), key));
        assertEquals(4, allowed(limiter.tryAcquire(key)).remaining());
        limiter.reset(key);
      }
    }
  }

  @Test
  void b74ResetOfAKeyThatIsNotThereIsNoError() {
    RateLimiter limiter = limiter(Shape.TOKEN_BUCKET_INTERVAL.of(1, HOUR));
    limiter.reset("nobody");
    assertEquals(1, limiter.peek("nobody").remaining());
  }
}
