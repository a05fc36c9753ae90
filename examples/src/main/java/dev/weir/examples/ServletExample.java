package dev.weir.examples;

import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.local.LocalRateLimiter;
import dev.weir.servlet.RateLimitFilter;
import dev.weir.servlet.RateLimitRule;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;

/** A web application with five requests a minute for each client. */
public final class ServletExample {

  private ServletExample() {}

  /** What an application has to add: the container finds it by its annotation. */
  @WebListener
  public static final class Limits implements ServletContextListener {

    /** Makes the listener; for the container. */
    public Limits() {}

    @Override
    public void contextInitialized(ServletContextEvent event) {
      RateLimitPolicy policy = RateLimitPolicy.of("api", FixedWindow.of(5, Duration.ofMinutes(1)));
      RateLimiter limiter = LocalRateLimiter.create(policy);

      RateLimitFilter.builder()
          .rule(RateLimitRule.of(limiter))
          .build()
          .register(event.getServletContext());
    }
  }

  private static final class Hello extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().println("hello");
    }
  }

  /** Starts the application on a port, 0 for a free one. */
  static Server start(int port) throws Exception {
    Server server = new Server(port);
    ServletContextHandler context = new ServletContextHandler("/");
    context.addEventListener(new Limits());
    context.addServlet(new ServletHolder(new Hello()), "/*");
    server.setHandler(context);
    server.start();
    return server;
  }

  /** Serves on port 8080 until it is stopped. */
  public static void main(String[] args) throws Exception {
    start(8080).join();
  }
}
