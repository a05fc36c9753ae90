package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.adaptive.Tier;
import dev.weir.server.policy.RequestAttributes;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nothing that is kept for people to look at grows with the number of subjects or calls. */
class BoundsTest {

  private static final long NOW = 1_764_590_000_000L;

  @Test
  void aHundredThousandSubjectsAreKnownAndFound() {
    SubjectIndex index = new SubjectIndex(Live.MOST_SUBJECTS);
    for (int i = 0; i < 150_000; i++) {
      boolean isRefused = i % 1_000 == 0;
      Tier tier = i % 50_000 == 49_999 ? Tier.SUSPICIOUS : Tier.NORMAL;
      index.note("p", "p", "user:" + i, isRefused, tier, true, NOW + i);
    }
    long now = NOW + 150_000;
    // Parts of the index fill up unevenly; none passes its share.
    assertThat(index.size()).isBetween(90_000, 100_032);
    assertThat(index.search("USER:14999", "", 50, now)).hasSize(10);
    assertThat(index.search("149999", "other", 50, now)).isEmpty();
    assertThat(index.search("user", "", 50, now).get(0).key()).isEqualTo("user:149999");
    assertThat(index.topLimited(500, now)).hasSizeBetween(90, 101);
    assertThat(index.aboveNormal(10, now).get(0).key()).isEqualTo("user:149999");
    long start = System.nanoTime();
    index.search("nobody", "", 50, now);
    assertThat(System.nanoTime() - start).isLessThan(2_000_000_000L);
  }

  @Test
  void whatWasRefusedLongAgoIsNotLately() {
    SubjectIndex index = new SubjectIndex(64);
    index.note("p", "p", "u", true, Tier.NORMAL, true, NOW);
    assertThat(index.topLimited(10, NOW + 299_000)).hasSize(1);
    assertThat(index.topLimited(10, NOW + 900_000)).isEmpty();
  }

  @Test
  void theRingOfCallsIsBoundedInCountAndLength() {
    RecentCalls calls = new RecentCalls();
    for (int i = 0; i < 25_000; i++) {
      calls.add(call(i, "/x"));
    }
    assertThat(calls.since(0)).hasSize(20_000);
    for (int i = 0; i < 20_000; i++) {
      calls.add(call(30_000 + i, "/" + "x".repeat(8_000)));
    }
    assertThat(calls.since(0)).hasSizeLessThanOrEqualTo(2_000);
    calls.add(call(60_000, "/" + "y".repeat(9_000)));
    assertThat(calls.since(60_000)).isEmpty();
  }

  private static SeenCall call(long atMicros, String path) {
    return new SeenCall(
        atMicros,
        new RequestAttributes("", "GET", path, null, "", "", "", Map.of(), Map.of()),
        1,
        0);
  }

  @Test
  void figuresForgetWhatIsOlderThanHalfAnHour() {
    LiveFigures figures = new LiveFigures();
    figures.add("p", Figure.REQUESTS, NOW);
    figures.add("p", Figure.REQUESTS, NOW + 1);
    figures.add("p", Figure.LIMITED, NOW);
    assertThat(figures.last("p", Figure.REQUESTS, 3, NOW)).containsExactly(0L, 0L, 2L);
    assertThat(figures.last("p", Figure.REQUESTS, 3, NOW + 10_000)).containsExactly(0L, 2L, 0L);
    assertThat(figures.last("p", Figure.REQUESTS, 180, NOW + 1_790_000).get(0)).isEqualTo(2);
    assertThat(figures.last("p", Figure.REQUESTS, 180, NOW + 1_800_000)).containsOnly(0L);
    figures.add("p", Figure.ALLOWED, NOW + 1_810_000);
    assertThat(figures.last("p", Figure.LIMITED, 180, NOW + 1_810_000)).containsOnly(0L);
    for (int i = 0; i < 2_000; i++) {
      figures.add("policy-" + i, Figure.REQUESTS, NOW);
    }
    assertThat(figures.policies()).hasSizeLessThanOrEqualTo(1_024);
  }
}
