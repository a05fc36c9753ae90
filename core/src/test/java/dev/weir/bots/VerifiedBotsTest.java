package dev.weir.bots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.adaptive.Cidr;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class VerifiedBotsTest {

  private static final String AGENT = "Mozilla/5.0 (compatible; Googlebot/2.1)";

  private final Map<String, String> names = new HashMap<>();
  private final List<String> lookedUp = new ArrayList<>();
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean full;
  private long nanos;

  private final VerifiedBots bots =
      VerifiedBots.of(
          List.of(
              KnownBot.of("googlebot", List.of("googlebot.com"), List.of()),
              KnownBot.of("ranger", List.of(), List.of(Cidr.parse("2001:db8::/32")))),
          address -> {
            lookedUp.add(address);
            if (address.equals("broken")) {
              throw new IllegalStateException("the name service is ill");
            }
            return Optional.ofNullable(names.get(address));
          },
          work -> {
            if (full) {
              throw new RejectedExecutionException();
            }
            waiting.add(work);
          },
          () -> nanos);

  private void lookUp() {
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  @Test
  void aBotIsNobodyUntilItsNameIsKnown() {
    names.put("192.0.2.1", "crawl-1.googlebot.com");
    assertThat(bots.isVerified("192.0.2.1", AGENT)).isFalse();
    assertThat(bots.isVerified("192.0.2.1", AGENT)).isFalse();
    assertThat(waiting).as("asked once, however many calls come meanwhile").hasSize(1);
    lookUp();
    assertThat(bots.isVerified("192.0.2.1", AGENT)).isTrue();
    assertThat(bots.isVerified("192.0.2.1", "curl")).as("who claims nothing").isFalse();
    assertThat(lookedUp).hasSize(1);
  }

  @Test
  void aNameOfSomebodyElseIsNotBelieved() {
    for (String name : List.of("googlebot.com.evil.test", "evilgooglebot.com", "com", "")) {
      names.put("192.0.2.1", name);
      assertThat(bots.isVerified("192.0.2.1", AGENT)).isFalse();
      lookUp();
      assertThat(bots.isVerified("192.0.2.1", AGENT)).as(name).isFalse();
      nanos += Duration.ofHours(2).toNanos();
    }
    assertThat(bots.isVerified("192.0.2.7", AGENT)).isFalse();
    assertThat(bots.isVerified(null, AGENT) || bots.isVerified("192.0.2.1", null)).isFalse();
  }

  @Test
  void rangesNeedNoNameAndAreTheirBotsAlone() {
    assertThat(bots.isVerified("2001:db8::7", "Ranger/1")).isTrue();
    assertThat(bots.isVerified("2001:db9::7", "Ranger/1")).isFalse();
    assertThat(bots.isVerified("2001:db8::7", AGENT)).isFalse();
  }

  @Test
  void namesAreForgottenInTime() {
    names.put("192.0.2.1", "crawl-1.googlebot.com");
    for (String address : List.of("192.0.2.1", "192.0.2.2", "broken")) {
      assertThat(bots.isVerified(address, AGENT)).isFalse();
    }
    lookUp();
    nanos += Duration.ofMinutes(11).toNanos();
    assertThat(bots.isVerified("192.0.2.1", AGENT)).as("kept for an hour").isTrue();
    names.put("192.0.2.2", "crawl-2.googlebot.com");
    assertThat(bots.isVerified("192.0.2.2", AGENT)).isFalse();
    assertThat(bots.isVerified("broken", AGENT)).isFalse();
    lookUp();
    assertThat(lookedUp).hasSize(5);
    assertThat(bots.isVerified("192.0.2.2", AGENT)).isTrue();
    nanos += Duration.ofMinutes(50).toNanos();
    assertThat(bots.isVerified("192.0.2.1", AGENT)).as("asked for anew").isFalse();
  }

  @Test
  void whatFindsNoRoomIsAskedForAgain() {
    names.put("192.0.2.1", "crawl-1.googlebot.com");
    full = true;
    assertThat(bots.isVerified("192.0.2.1", AGENT)).isFalse();
    full = false;
    assertThat(bots.isVerified("192.0.2.1", AGENT)).isFalse();
    lookUp();
    assertThat(bots.isVerified("192.0.2.1", AGENT)).isTrue();
  }

  @Test
  void thisMachineKnowsItself() {
    assertThat(HostNames.ofThisMachine().confirmed("127.0.0.1")).contains("localhost");
  }

  @Test
  void aBotNeedsSomethingToBeVerifiedBy() {
    assertThatThrownBy(() -> KnownBot.of("x", List.of(), List.of()))
        .hasMessageContaining("domain or a range");
    assertThat(KnownBot.searchEngines()).hasSize(5);
  }
}
