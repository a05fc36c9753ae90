package dev.weir.testkit;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts a real Redis for a run of tests, on a free port, and gives it to whatever test, setup or
 * constructor has a parameter of the type {@link RedisServer}. It is emptied before each test, and
 * ends with the run.
 *
 * <pre>{@code
 * @ExtendWith(RedisExtension.class)
 * class CheckoutTest {
 *   @Test
 *   void limits(RedisServer redis) {
 *     RedisClient client = RedisClient.create(redis.uri());
 *     ...
 *   }
 * }
 * }</pre>
 */
public final class RedisExtension implements BeforeEachCallback, ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(RedisExtension.class);

  /** Makes the extension; for JUnit. */
  public RedisExtension() {}

  @Override
  public void beforeEach(ExtensionContext context) {
    server(context).command("FLUSHALL");
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == RedisServer.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return server(context);
  }

  private static RedisServer server(ExtensionContext context) {
    // The store of the root ends with the run, so that all test classes share the server.
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(Running.class, any -> new Running(RedisServer.start()), Running.class)
        .server();
  }

  private record Running(RedisServer server) implements AutoCloseable {
    @Override
    public void close() {
      server.close();
    }
  }
}
