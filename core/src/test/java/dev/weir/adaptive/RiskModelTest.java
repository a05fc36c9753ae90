package dev.weir.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What holds for every history: bounded, fading, monotonous, and never touched by a look. */
class RiskModelTest {

  private static final long START = 1_700_000_000_000_000L;
  private static final long SECOND = 1_000_000;
  private static final BaseRate LIMITS = new BaseRate(100, 20);
  private static final RiskModel MODEL = new RiskModel(AdaptivePolicy.standard(), LIMITS);

  private static Random random() {
    String given = System.getProperty("weir.seed", "");
    long seed = given.isEmpty() ? System.nanoTime() : Long.parseLong(given);
    System.out.println("RiskModelTest: seed " + seed);
    return new Random(seed);
  }

  private static Call call(Random random) {
    return new Call(
        random.nextInt(),
        random.nextInt(),
        random.nextInt(),
        random.nextInt(10) == 0 ? 0.1 : 1 + random.nextInt(3),
        random.nextInt(10) == 0,
        random.nextInt(10) == 0,
        random.nextInt(20) == 0,
        random.nextBoolean(),
        random.nextInt(10) == 0,
        random.nextInt(5) == 0,
        random.nextInt(4) == 0 ? random.nextInt() : 0,
        random.nextInt(4) == 0 ? random.nextInt() : 0);
  }

  private static Outcome outcome(Random random) {
    int[] statuses = {200, 200, 302, 401, 403, 404, 404, 500, 503};
    return new Outcome(
        statuses[random.nextInt(statuses.length)],
        random.nextInt(),
        random.nextInt(10) == 0,
        random.nextInt(20) == 0,
        random.nextBoolean(),
        random.nextBoolean());
  }

  private static SubjectState step(@Nullable SubjectState state, Random random, long now) {
    return switch (random.nextInt(4)) {
      case 0, 1 -> MODEL.request(state, call(random), now, 7);
      case 2 -> MODEL.outcome(state, outcome(random), now, 7);
      default -> MODEL.refused(state, random.nextInt(5_000_000), now);
    };
  }

  /** Mostly within a second, sometimes minutes, hours or days. */
  private static long pause(Random random) {
    long[] scales = {SECOND, SECOND, SECOND, 60 * SECOND, 3_600 * SECOND, 86_400 * SECOND};
    return (long) (random.nextDouble() * scales[random.nextInt(scales.length)]);
  }

  @Test
  void theSizeIsBoundedWhateverTheSubjectDoes() {
    Random random = random();
    SubjectState state = null;
    long now = START;
    int largest = 0;
    for (int i = 0; i < 10_000; i++) {
      now += random.nextInt(200_000);
      state = step(state, random, now);
      largest = Math.max(largest, SubjectStateBytes.write(state).length);
    }
    assertThat(largest).isEqualTo(SubjectState.MAX_BYTES).isLessThanOrEqualTo(400);
  }

  @Test
  void aStateIsShortUntilTheFourthRequest() {
    SubjectState state = null;
    for (int i = 0; i < 3; i++) {
      Call page = new Call(i, i, i, 1, false, false, false, false, false, false, 0, 5);
      state = MODEL.request(state, page, START + i * SECOND, 7);
      assertThat(SubjectStateBytes.write(state).length).isLessThanOrEqualTo(127);
    }
  }

  @Test
  void stateWrittenAndReadGoesOnTheSame() {
    Random random = random();
    SubjectState kept = null;
    SubjectState stored = null;
    long now = START;
    for (int i = 0; i < 20_000; i++) {
      now += pause(random);
      long seed = random.nextLong();
      kept = step(kept, new Random(seed), now);
      byte[] bytes = stored == null ? null : SubjectStateBytes.write(stored);
      stored = step(bytes == null ? null : SubjectStateBytes.read(bytes), new Random(seed), now);
      assertThat(SubjectStateBytes.write(stored)).isEqualTo(SubjectStateBytes.write(kept));
    }
  }

  @Test
  void damagedBytesAreNoState() {
    SubjectState state = MODEL.request(null, call(new Random(1)), START, 7);
    byte[] bytes = SubjectStateBytes.write(state);
    for (int length = 0; length < bytes.length; length++) {
      assertThat(SubjectStateBytes.read(java.util.Arrays.copyOf(bytes, length))).isNull();
    }
    bytes[0] = 9;
    assertThat(SubjectStateBytes.read(bytes)).isNull();
  }

  @Test
  void aLookChangesNoByte() {
    Random random = random();
    SubjectState state = null;
    long now = START;
    for (int i = 0; i < 5_000; i++) {
      now += pause(random);
      state = step(state, random, now);
      byte[] before = SubjectStateBytes.write(state);
      MODEL.explain(state, now + pause(random));
      step(state, random, now + pause(random));
      assertThat(SubjectStateBytes.write(state)).isEqualTo(before);
    }
  }

  @Test
  void theSameHistoryGivesTheSameBytes() {
    long seed = random().nextLong();
    assertThat(history(seed)).isEqualTo(history(seed));
  }

  private static byte[] history(long seed) {
    Random random = new Random(seed);
    SubjectState state = null;
    long now = START;
    for (int i = 0; i < 2_000; i++) {
      now += pause(random);
      state = step(state, random, now);
    }
    return SubjectStateBytes.write(java.util.Objects.requireNonNull(state));
  }

  @Test
  void decayInTwoPartsIsDecayInOne() {
    Random random = random();
    for (int i = 0; i < 100_000; i++) {
      long halfLife = 1L + random.nextInt(1_000_000);
      long first = random.nextInt(1_000_000);
      long second = random.nextInt(1_000_000);
      float count = (float) (random.nextDouble() * SubjectState.MAX_COUNT);
      float once = RiskModel.decayed(count, first + second, halfLife);
      float twice = RiskModel.decayed(RiskModel.decayed(count, first, halfLife), second, halfLife);
      // Two roundings to floats of 24 bits, and what is below 2^-20 is nothing.
      double bound = once * 2 * Math.pow(2, -23) + Math.pow(2, -20);
      assertThat(Math.abs(once - twice)).isLessThanOrEqualTo((float) bound);
    }
  }

  @Test
  void theFactorIsTheExponential() {
    for (long halfLife : new long[] {1, 7, 100, 600, 36_000, 864_000}) {
      double before = 1;
      for (long ticks = 0; ticks < 10 * halfLife; ticks += 1 + halfLife / 97) {
        double factor = Decay.factor(ticks, halfLife);
        double exact = Math.pow(2, -(double) ticks / halfLife);
        assertThat(Math.abs(factor / exact - 1)).isLessThan(1e-10);
        assertThat(factor).isLessThanOrEqualTo(before);
        before = factor;
      }
      assertThat(Decay.factor(64 * halfLife, halfLife)).isZero();
      assertThat(Decay.factor(halfLife, halfLife)).isEqualTo(0.5);
    }
  }

  /** These are evidence; total and baseline are what it is compared with, errors a grace. */
  private static final int[] EVIDENCE = {
    SubjectState.BAD,
    SubjectState.SLOW,
    SubjectState.AUTH,
    SubjectState.BURST,
    SubjectState.ROUTES,
    SubjectState.DENIED,
    SubjectState.AGENTLESS,
    SubjectState.PROBES
  };

  @Test
  void moreOfAnyEvidenceNeverLowersTheRisk() {
    Random random = random();
    Scoring scoring = new Scoring(AdaptivePolicy.standard(), LIMITS);
    for (int i = 0; i < 100_000; i++) {
      SubjectState state = new SubjectState();
      for (int c = 0; c < SubjectState.COUNTERS; c++) {
        state.counters[c] = c == SubjectState.RISK ? 0 : (float) (random.nextDouble() * 90);
      }
      state.repeats[0] = (float) (random.nextDouble() * state.counters[SubjectState.TOTAL]);
      SubjectState more = state.copy();
      int grown = random.nextInt(EVIDENCE.length + 1);
      if (grown == EVIDENCE.length) {
        more.repeats[0] += (float) random.nextDouble() * 30;
      } else {
        more.add(EVIDENCE[grown], random.nextDouble() * 30);
      }
      assertThat(scoring.evidence(more).total())
          .as("evidence %d more", grown)
          .isGreaterThanOrEqualTo(scoring.evidence(state).total());
    }
  }

  @Test
  void oneMoreMissingPathNeverLowersTheRisk() {
    Random random = random();
    for (int trial = 0; trial < 500; trial++) {
      SubjectState state = null;
      SubjectState more = null;
      long now = START;
      int extraAt = random.nextInt(30);
      boolean wasBlocked = false;
      for (int i = 0; i < 30; i++) {
        now += random.nextInt(20) * SECOND;
        if (i == extraAt) {
          more = MODEL.outcome(more, missing(255), now, 7);
        }
        Outcome next = missing(i);
        state = MODEL.outcome(state, next, now, 7);
        more = MODEL.outcome(more, next, now, 7);
        assertThat(more.risk()).isGreaterThanOrEqualTo(state.risk());
        wasBlocked |= more.tier() == Tier.BLOCKED;
        // Whoever is blocked earlier is let go earlier too.
        if (!wasBlocked) {
          assertThat(more.tier().level()).isGreaterThanOrEqualTo(state.tier().level());
        }
      }
    }
  }

  private static Outcome missing(int path) {
    return new Outcome(404, path, false, false, false, false);
  }

  @Test
  void theEndOfABlockNeverMoves() {
    Random random = random();
    SubjectState state = null;
    long now = START;
    for (int i = 0; i < 13; i++) {
      state = MODEL.outcome(state, missing(i), now, 7);
    }
    SubjectState blocked = java.util.Objects.requireNonNull(state);
    assertThat(blocked.tier()).isEqualTo(Tier.BLOCKED);
    long end = MODEL.explain(blocked, now).blockEndMicros().orElseThrow();
    assertThat(end - now).isBetween(54 * SECOND, 60 * SECOND);
    while (now < end - SECOND) {
      blocked = step(blocked, random, now);
      assertThat(MODEL.explain(blocked, now).blockEndMicros()).contains(end);
      now += random.nextInt(500_000);
    }
    assertThat(MODEL.explain(blocked, end).tier()).isNotEqualTo(Tier.BLOCKED);
  }

  @Test
  void blocksDoubleWithEachStrikeUpToTheLongest() {
    long[] lengths = new long[9];
    SubjectState state = null;
    long now = START;
    for (int strike = 0; strike < lengths.length; strike++) {
      for (int i = 0; i < 40; i++) {
        state = MODEL.outcome(state, missing(strike * 40 + i), now, 7);
        if (state.tier() == Tier.BLOCKED) {
          break;
        }
      }
      long end = MODEL.explain(state, now).blockEndMicros().orElseThrow();
      lengths[strike] = (end - now) / SECOND;
      now = end;
    }
    assertThat(lengths[0]).isBetween(54L, 60L);
    assertThat(lengths[1]).isBetween(108L, 120L);
    assertThat(lengths[2]).isBetween(216L, 240L);
    assertThat(lengths[8]).isBetween(3_240L, 3_600L);
  }

  @Test
  void tiersComeDownOneAtATimeAfterADwellingTime() {
    SubjectState state = null;
    for (int i = 0; i < 9; i++) {
      state = MODEL.outcome(state, missing(i), START, 7);
    }
    assertThat(java.util.Objects.requireNonNull(state).tier()).isEqualTo(Tier.SUSPICIOUS);
    Explanation now = MODEL.explain(state, START);
    Explanation.Change next = now.next().orElseThrow();
    assertThat(next.tier()).isEqualTo(Tier.ELEVATED);
    assertThat(MODEL.explain(state, next.atMicros() - 100_000).tier()).isEqualTo(Tier.SUSPICIOUS);
    assertThat(MODEL.explain(state, next.atMicros()).tier()).isEqualTo(Tier.ELEVATED);
    assertThat(MODEL.explain(state, START + 600 * SECOND).tier()).isEqualTo(Tier.NORMAL);
  }

  @Test
  void aSharedAddressIsNeverBlocked() {
    SubjectState state = null;
    for (int i = 0; i < 4; i++) {
      Call page = new Call(1, 1, 1, 1, false, false, false, false, false, false, 0, 1 + i);
      state = MODEL.request(state, page, START, 7);
    }
    for (int i = 0; i < 100; i++) {
      state = MODEL.outcome(state, missing(i), START, 7);
    }
    assertThat(java.util.Objects.requireNonNull(state).tier()).isEqualTo(Tier.SUSPICIOUS);
    assertThat(MODEL.explain(state, START).isShared()).isTrue();
  }
}
