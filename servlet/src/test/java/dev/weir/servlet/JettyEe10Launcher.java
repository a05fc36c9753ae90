package dev.weir.servlet;

import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;

/** Starts Jetty 12 with its servlets of EE 10. */
public final class JettyEe10Launcher {

  private final Server server;

  private JettyEe10Launcher(Server server) {
    this.server = server;
  }

  /** Starts it on a free port. */
  public static JettyEe10Launcher start() throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server, 1, 1);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ContextHandlerCollection contexts = new ContextHandlerCollection();
    for (String name : TestApp.contexts()) {
      ServletContextHandler context = new ServletContextHandler();
      context.setContextPath("/" + name);
      context.addServletContainerInitializer(
          (classes, servletContext) -> TestApp.configure(name, servletContext));
      ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
      for (int status : TestApp.ERROR_PAGES) {
        errors.addErrorPage(status, "/error");
      }
      context.setErrorHandler(errors);
      contexts.addHandler(context);
    }
    server.setHandler(contexts);
    server.start();
    return new JettyEe10Launcher(server);
  }

  /** The port to connect to. */
  public int port() {
    return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
  }

  /** Stops it. */
  public void stop() throws Exception {
    server.stop();
  }
}
