package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailureCause;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The soak's own judge must be able to condemn. */
class SoakLedgerTest {

  private static final long SECOND = 1_000_000_000L;
  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.of("soak", FixedWindow.of(3, Duration.ofHours(1)));

  private final SoakLedger ledger = new SoakLedger(3, 1, Duration.ofMillis(100));

  private static Decision byRedis() {
    return Decision.of(POLICY, Source.REDIS, 1, 1, 0, 0, 0, 0);
  }

  private void admit(Decision decision, long... seconds) {
    for (long at : seconds) {
      ledger.asked();
      ledger.answered("k", decision, at * SECOND, at * SECOND + 1_000);
    }
  }

  @Test
  void whatIsWithinTheLimitIsWell() {
    admit(byRedis(), 1, 2, 3);
    assertThat(ledger.result().broken()).isEmpty();
    assertThat(ledger.result().over()).isZero();
  }

  @Test
  void aPermitTooManyIsFoundUnlessItMayHaveBeenLost() {
    admit(byRedis(), 1, 2, 3, 10);
    assertThat(ledger.result().over()).isEqualTo(1);
    assertThat(ledger.result().broken()).hasSize(1);
    int shard = SoakLedger.shardOf("k");
    ledger.killed((shard + 1) % 3, 3 * SECOND);
    assertThat(ledger.result().broken()).as("another shard").hasSize(1);
    ledger.killed(shard, 5 * SECOND);
    assertThat(ledger.result().broken()).as("nothing was admitted shortly before").hasSize(1);
    ledger.killed(shard, 3 * SECOND + SECOND / 2);
    assertThat(ledger.result().broken()).as("the third may be lost").isEmpty();
    admit(byRedis(), 11);
    assertThat(ledger.result().broken()).as("two too many for one that is lost").hasSize(1);
  }

  @Test
  void moreThanTheShareInThisProcessIsFound() {
    Decision local = byRedis().standingInFor(POLICY, FailureCause.TIMEOUT);
    admit(local, 1);
    assertThat(ledger.result().broken()).isEmpty();
    admit(local, 2);
    assertThat(ledger.result().broken()).hasSize(1);
    assertThat(ledger.result().degraded()).isEqualTo(2);
  }

  @Test
  void slowLostAndFailedCallsAreCounted() {
    ledger.asked();
    ledger.answered("k", byRedis(), 0, SECOND / 4);
    ledger.asked();
    ledger.failed();
    ledger.asked();
    SoakLedger.Result result = ledger.result();
    assertThat(result.slow()).isEqualTo(1);
    assertThat(result.slowestMillis()).isEqualTo(250);
    assertThat(result.failed()).isEqualTo(1);
    assertThat(result.lost()).isEqualTo(1);
  }
}
