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
                  .contains("Nothing answers at", "./weir serve", "goes on by itself");
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
  void saysSoWhenTheServiceRunsButCannotDecide() {
    DemoPage page = open();
    browser()
        .run(
            """
            window.realFetch = window.fetch;
            const answer = { detail: 'The store did not answer in time.' };
            window.fetch = (url, options) => /acquire|peek/.test(url)
              ? Promise.resolve(new Response(JSON.stringify(answer), { status: 503 }))
              : window.realFetch(url, options);
            """);
    page.click("send-one");
    page.awaitShown("outage", true);
    assertThat(page.element("outage").getText())
        .contains("The service cannot decide. The store did not answer in time.")
        .doesNotContain("./weir serve");
    service().changePolicy(DemoService.SLOW_LIMIT);
    page.awaitCode("Duration.ofHours(1)");
    assertThat(page.element("outage").isDisplayed()).isTrue();
    browser().run("window.fetch = window.realFetch");
    page.awaitShown("outage", false);
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
