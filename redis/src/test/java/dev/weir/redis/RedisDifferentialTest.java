package dev.weir.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.testkit.Differential;
import dev.weir.testkit.RedisVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scripts against the reference model, step by step, on every Redis. */
class RedisDifferentialTest {

  private static final long STEPS = 60_000;

  static java.util.List<RedisVersion> versions() {
    return RedisVersion.tested();
  }

  @ParameterizedTest
  @MethodSource("versions")
  void theScriptsAnswerAsTheModelDoes(RedisVersion version) {
    try (RedisHarness harness = new RedisHarness(version)) {
      assertTrue(Differential.withModel(harness).run(STEPS) > 0);
    }
  }
}
