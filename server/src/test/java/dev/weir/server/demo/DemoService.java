package dev.weir.server.demo;

import dev.weir.server.RunningServer;

/** The real service, which can be stopped for a while. */
final class DemoService implements AutoCloseable {

  static final String DEFAULT_LIMIT =
      """
      {"algorithm":"token-bucket","capacity":10,"refillTokens":1,"refillPeriod":"1s",
       "refill":"interval"}""";

  /** As the default, but nothing comes back while a test runs. */
  static final String SLOW_LIMIT = DEFAULT_LIMIT.replace("1s", "1h");

  private RunningServer server = RunningServer.inMemory();

  int port() {
    return server.port();
  }

  /** Gives the policy another limit, or several with commas between, as another client would. */
  void changePolicy(String limit) {
    var answer = server.client().put("demo", limit).response();
    if (answer.statusCode() != 200) {
      throw new AssertionError(answer.statusCode() + " " + answer.body());
    }
  }

  /** The policies as the service tells them. */
  String policies() {
    return server.client().send("GET", "/v1/policies", "").response().body();
  }

  /** Stops the service, runs the action, and starts it again on the same port. */
  void whileDown(Runnable action) {
    int port = server.port();
    server.close();
    try {
      action.run();
    } finally {
      server = RunningServer.onPort(port);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
