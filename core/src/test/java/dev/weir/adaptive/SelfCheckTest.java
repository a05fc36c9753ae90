package dev.weir.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SelfCheckTest {

  private static final long MINUTE = 60_000_000;
  private static final long START = 1_760_000_000_000_000L;

  private final SelfCheck check = new SelfCheck();

  private boolean people(int count, int above, long now) {
    boolean tripped = false;
    for (int i = 0; i < count; i++) {
      Tier tier = i < above ? Tier.ELEVATED : Tier.NORMAL;
      tripped |= check.decided(i, true, tier, now);
    }
    return tripped;
  }

  @Test
  void moreThanOnePercentOfSignedInSubjectsAboveNormalTripsItWithinAMinute() {
    people(1_000, 10, START);
    people(1_000, 10, START + MINUTE);
    assertThat(check.reason()).as("1% may be").isEmpty();
    people(1_000, 11, START + 2 * MINUTE);
    assertThat(check.decided(5_000, false, Tier.NORMAL, START + 3 * MINUTE)).isTrue();
    assertThat(check.reason().orElseThrow()).startsWith("11 of 1000 signed-in subjects");
    assertThat(check.decided(5_000, false, Tier.NORMAL, START + 9 * MINUTE))
        .as("told once")
        .isFalse();
    check.clear();
    assertThat(check.reason()).isEmpty();
  }

  @Test
  void strangersAndFewPeopleSayNothing() {
    for (int i = 0; i < 5_000; i++) {
      check.decided(i, false, Tier.SUSPICIOUS, START + i * 10_000L);
    }
    people(SelfCheck.LEAST_SUBJECTS - 1, 5, START + 2 * MINUTE);
    check.decided(1, true, Tier.ELEVATED, START + 3 * MINUTE);
    assertThat(check.reason()).isEmpty();
  }

  @Test
  void peopleOfTheLastGenerationCountOnceAsTheyAreNow() {
    people(1_000, 0, START);
    people(500, 11, START + 11 * MINUTE);
    check.decided(999, true, Tier.NORMAL, START + 12 * MINUTE);
    assertThat(check.reason().orElseThrow()).startsWith("11 of 1000 signed-in subjects");
  }

  @Test
  void tenTimesTheMedianOfBlocksTripsIt() {
    int subject = 0;
    for (int minute = 0; minute < 120; minute++) {
      for (int i = 0; i < 3; i++) {
        check.decided(subject++, false, Tier.BLOCKED, START + minute * MINUTE);
      }
    }
    long now = START + 120 * MINUTE;
    for (int i = 0; i < 30; i++) {
      assertThat(check.decided(subject++, false, Tier.BLOCKED, now)).isFalse();
    }
    assertThat(check.decided(subject - 1, false, Tier.BLOCKED, now)).as("the same").isFalse();
    assertThat(check.decided(subject, false, Tier.BLOCKED, now)).isTrue();
    assertThat(check.reason()).hasValue("31 subjects were blocked in a minute, and 30 may be");
  }

  @Test
  void theFirstHourKnowsNoMedianAndAQuietDayAllowsAFew() {
    for (int i = 0; i < 1_000; i++) {
      check.decided(i, false, Tier.BLOCKED, START);
    }
    assertThat(check.reason()).isEmpty();
    long now = START + 2_000 * MINUTE;
    for (int i = 1_000; i < 1_000 + SelfCheck.LEAST_BLOCKS; i++) {
      assertThat(check.decided(i, false, Tier.BLOCKED, now)).isFalse();
    }
    assertThat(check.decided(9_999, false, Tier.BLOCKED, now)).isTrue();
  }

  @Test
  void whateverHappensItTripsOnceAndItsMemoryIsBounded() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    long now = START;
    int trips = 0;
    for (int i = 0; i < 300_000; i++) {
      now += random.nextInt(2_000_000) - 200_000;
      Tier tier = List.of(Tier.NORMAL, Tier.ELEVATED, Tier.BLOCKED).get(random.nextInt(3));
      trips += check.decided(random.nextInt(), random.nextBoolean(), tier, now) ? 1 : 0;
    }
    assertThat(trips).as("seed %d", seed).isEqualTo(1);
  }
}
