package dev.weir.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoOutageTest extends BrowserTest {

  @Test
  void saysThatTheServiceIsGoneAndGoesOnWhenItIsBack() {
    expectComplaint("net::ERR_CONNECTION_REFUSED");
    expectComplaint("net::ERR_EMPTY_RESPONSE");
    expectComplaint("net::ERR_CONNECTION_RESET");
    expectComplaint("net::ERR_SOCKET_NOT_CONNECTED");
    DemoPage page = open();
    service()
        .whileDown(
            () -> {
              page.awaitShown("outage", true);
              assertThat(page.element("outage").getText())
                  .contains("The service does not answer", "./weir serve");
              assertThat(page.text("status")).isEqualTo("not connected");
              page.click("send-one");
              assertThat(page.elements("#answers li")).isEmpty();
            });
    page.awaitShown("outage", false);
    page.awaitText("status", "connected, in memory");
    page.click("send-one");
    page.awaitText("count-allowed", "1");
  }

  @Test
  void aServiceThatComesBackWithOtherSettingsIsNoticed() {
    expectComplaint("net::ERR_");
    DemoPage page = open();
    page.type("parameter-capacity", "7");
    page.awaitCode("TokenBucket.interval(7, 1");
    service().whileDown(() -> page.awaitShown("outage", true));
    page.awaitMatch("notice-text", "The policy was changed outside this tab: token bucket of 10.*");
    page.click("notice-undo");
    page.awaitCode("TokenBucket.interval(7, 1");
    page.awaitShown("notice", false);
  }
}
