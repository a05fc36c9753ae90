package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.RateLimiterException;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.adaptive.AddressRanges;
import dev.weir.adaptive.AddressRule;
import dev.weir.adaptive.Cidr;
import dev.weir.adaptive.ManualOverride;
import dev.weir.adaptive.Origin;
import dev.weir.adaptive.OverrideStore;
import dev.weir.adaptive.Ruling;
import dev.weir.adaptive.RulingChange;
import dev.weir.adaptive.Tier;
import dev.weir.adaptive.Treatment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every store of overrides promises. */
public abstract class OverrideStoreContract {

  private static final AddressRanges FIXED =
      new AddressRanges(List.of(Cidr.parse("192.0.2.0/24")), List.of(Cidr.parse("127.0.0.0/8")));

  /** For subclasses. */
  protected OverrideStoreContract() {}

  /** A store without rulings, for one test. */
  protected abstract OverrideStore store(AddressRanges fixed);

  /** Lets that much of the store's time pass. */
  protected abstract void pass(Duration time);

  private OverrideStore store() {
    return store(FIXED);
  }

  private static Treatment.Kind kind(OverrideStore store, String subject, String address) {
    return store.treatment(subject, Origin.of(address), false).kind();
  }

  private static Ruling set(OverrideStore store, Ruling ruling) {
    return store.setAsync(ruling).join();
  }

  /** Each kind of ruling acts as soon as it is set. */
  @Test
  public void rulingsActAtOnce() {
    OverrideStore store = store();
    assertThat(kind(store, "u", "8.8.8.8")).isEqualTo(Treatment.Kind.JUDGED);
    set(store, ManualOverride.block("u", "ann", "abuse"));
    assertThat(store.treatment("u", Origin.UNKNOWN, true))
        .isEqualTo(new Treatment(Treatment.Kind.REFUSED, Tier.NORMAL, "override by ann: abuse"));
    set(store, ManualOverride.pin("u", Tier.ELEVATED, "ben", "watch"));
    assertThat(store.treatment("u", Origin.UNKNOWN, false).tier()).isEqualTo(Tier.ELEVATED);
    set(store, ManualOverride.allow("u", "ben", "partner"));
    assertThat(kind(store, "u", "192.0.2.1")).isEqualTo(Treatment.Kind.EXEMPT);
    assertThat(kind(store, "other", "192.0.2.1")).isEqualTo(Treatment.Kind.REFUSED);
    assertThat(store.rulings()).hasSize(1);
    assertThat(store.problem()).isEmpty();
  }

  /** Ranges of both families; deny before allow; a rule is nearer than the configuration. */
  @Test
  public void rangesActAtOnce() {
    OverrideStore store = store();
    set(store, AddressRule.deny(Cidr.parse("2001:db8::/32"), "ann", "scans"));
    set(store, AddressRule.allow(Cidr.parse("2001:db8:1::/48"), "ann", "probe"));
    set(store, AddressRule.allow(Cidr.parse("198.51.100.0/24"), "ann", "office"));
    assertThat(kind(store, "u", "2001:db8:7::1")).isEqualTo(Treatment.Kind.REFUSED);
    assertThat(kind(store, "u", "2001:db8:1::1")).as("denied").isEqualTo(Treatment.Kind.REFUSED);
    assertThat(kind(store, "u", "198.51.100.7")).isEqualTo(Treatment.Kind.LIMITED);
    assertThat(store.treatment("u", Origin.of("198.51.100.7"), false).why())
        .isEqualTo("allowed range 198.51.100.0/24 by ann: office");
    set(store, AddressRule.allow(Cidr.parse("192.0.2.0/24"), "ann", "ours now"));
    assertThat(kind(store, "u", "192.0.2.1")).isEqualTo(Treatment.Kind.LIMITED);
    assertThat(kind(store, "u", "127.0.0.1")).isEqualTo(Treatment.Kind.LIMITED);
    Origin off = new Origin("8.8.8.8", null, AdaptivePolicy.Mode.OFF);
    assertThat(store.treatment("u", off, false).kind()).isEqualTo(Treatment.Kind.LIMITED);
  }

  /** A ruling ends by itself, to the microsecond it says. */
  @Test
  public void aRulingEndsByItself() {
    OverrideStore store = store();
    Ruling set =
        set(store, ManualOverride.block("u", "ann", "abuse").lasting(Duration.ofSeconds(2)));
    assertThat(set.untilMicros()).contains(set.sinceMicros() + 2_000_000);
    set(store, AddressRule.deny(Cidr.parse("10.0.0.0/8"), "ann", "x").lasting(Duration.ofDays(1)));
    assertThat(kind(store, "u", "8.8.8.8")).isEqualTo(Treatment.Kind.REFUSED);
    pass(Duration.ofMillis(2_001));
    assertThat(kind(store, "u", "8.8.8.8")).isEqualTo(Treatment.Kind.JUDGED);
    assertThat(kind(store, "u", "10.1.1.1")).isEqualTo(Treatment.Kind.REFUSED);
    assertThat(store.rulings()).hasSize(1);
    assertThat(store.liftAsync(set.target(), "ben", "late").join()).isEmpty();
    assertThat(store.changesAsync().join())
        .as("what ended by itself stays in the trail")
        .anyMatch(change -> change.ruling().equals(Optional.of(set)));
  }

  /** What is lifted acts no more, and the trail says who did what, the newest first. */
  @Test
  public void theTrailSaysWhoDidWhat() {
    OverrideStore store = store();
    Ruling first = set(store, ManualOverride.block("u", "ann", "abuse"));
    Ruling second = set(store, ManualOverride.pin("u", Tier.SUSPICIOUS, "ben", "milder"));
    assertThat(store.liftAsync(second.target(), "cem", "sorry").join()).contains(second);
    assertThat(store.liftAsync(second.target(), "cem", "again").join()).isEmpty();
    assertThat(kind(store, "u", "8.8.8.8")).isEqualTo(Treatment.Kind.JUDGED);
    store.noteForgottenAsync("u", "dee", "clean slate").join();
    List<RulingChange> changes = store.changesAsync().join();
    assertThat(changes.stream().map(change -> change.kind() + " " + change.author()))
        .containsExactly("FORGOTTEN dee", "LIFTED cem", "SET ben", "SET ann");
    assertThat(changes.get(1).ruling()).contains(second);
    assertThat(changes.get(1).reason()).isEqualTo("sorry");
    assertThat(changes.get(3).ruling()).contains(first);
    assertThat(changes).allMatch(change -> change.target().equals("subject:u"));
  }

  /** Whatever text somebody writes is kept as it is. */
  @Test
  public void anyTextIsKept() {
    OverrideStore store = store();
    for (String text :
        List.of(
            "a b",
            "a+b%20c",
            "line\nbreak\ttab",
            "{x}:#",
            "h\u00e9 \ud83d\ude00",
            "-",
            "version")) {
      Ruling set = set(store, ManualOverride.block(text, text, text));
      assertThat(store.rulings()).contains(set);
      assertThat(kind(store, text, "8.8.8.8")).as(text).isEqualTo(Treatment.Kind.REFUSED);
      assertThat(store.changesAsync().join().get(0).ruling()).contains(set);
      assertThat(store.liftAsync(set.target(), text, text).join()).contains(set);
    }
  }

  /** What nobody answers for is refused, and changes nothing. */
  @Test
  public void badInputIsRefused() {
    OverrideStore store = store();
    assertThatThrownBy(() -> ManualOverride.block("u", " ", "x")).hasMessageContaining("author");
    assertThatThrownBy(() -> ManualOverride.block("u", "ann", "")).hasMessageContaining("reason");
    assertThatThrownBy(() -> ManualOverride.block("u\ud800", "ann", "x"))
        .hasMessageContaining("half of a character");
    assertThatThrownBy(() -> ManualOverride.block("u".repeat(501), "ann", "x"))
        .hasMessageContaining("501");
    assertThatThrownBy(() -> ManualOverride.block("u", "ann", "x").lasting(Duration.ZERO))
        .hasMessageContaining("1 ms to 10 years");
    assertThatThrownBy(() -> store.liftAsync("subject:u", "", "x")).hasMessageContaining("author");
    assertThat(store.changesAsync().join()).isEmpty();
  }

  /** The store is bounded, and says what to do when it is full. */
  @Test
  public void theStoreIsBounded() {
    OverrideStore store = store();
    Duration life = Duration.ofMinutes(10);
    List<CompletableFuture<Ruling>> all =
        IntStream.range(0, OverrideStore.MOST_RULINGS)
            .mapToObj(i -> store.setAsync(ManualOverride.block("u" + i, "a", "b").lasting(life)))
            .toList();
    all.forEach(CompletableFuture::join);
    assertThat(store.rulings()).hasSize(OverrideStore.MOST_RULINGS);
    assertThatThrownBy(() -> set(store, ManualOverride.block("v", "a", "b")))
        .hasCauseInstanceOf(RateLimiterException.class)
        .hasMessageContaining("10000 rulings hold")
        .hasMessageContaining("lift some");
    assertThat(kind(store, "v", "8.8.8.8")).isEqualTo(Treatment.Kind.JUDGED);
    set(store, ManualOverride.allow("u7", "a", "in its place"));
    store.liftAsync("subject:u9", "a", "b").join();
    set(store, ManualOverride.block("v", "a", "b"));
    assertThat(kind(store, "v", "8.8.8.8")).isEqualTo(Treatment.Kind.REFUSED);
    assertThat(store.changesAsync().join()).hasSize(OverrideStore.MOST_CHANGES);
  }

  /** Racing writers lose nothing. */
  @Test
  public void racingWritersLoseNothing() {
    OverrideStore store = store();
    long written =
        Threads.sum(
            8,
            writer -> {
              for (int i = 0; i < 25; i++) {
                set(store, ManualOverride.block("w" + writer + "-" + i, "w" + writer, "race"));
              }
              return 25;
            });
    assertThat(written).isEqualTo(200);
    assertThat(store.rulings()).hasSize(200);
    assertThat(store.changesAsync().join()).hasSize(200);
  }
}
