package dev.weir.servlet;

import java.io.IOException;
import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;
import org.apache.tomcat.util.descriptor.web.ErrorPage;

/** Starts Tomcat; the same code for 10.1 and 11. */
public final class TomcatLauncher {

  private final Tomcat tomcat;

  private TomcatLauncher(Tomcat tomcat) {
    this.tomcat = tomcat;
  }

  /** Starts it on a free port. */
  public static TomcatLauncher start() throws IOException, LifecycleException {
    // Java takes one such factory, and there are two Tomcats.
    boolean unused = TomcatURLStreamHandlerFactory.disable();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(Files.createTempDirectory("weir-tomcat-").toString());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("maxThreads", "16");
    tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
    for (String name : TestApp.contexts()) {
      Context context = tomcat.addContext("/" + name, null);
      // These look into the JVM, which Java 17 does not let them.
      ((StandardContext) context).setClearReferencesThreadLocals(false);
      ((StandardContext) context).setClearReferencesRmiTargets(false);
      context.addServletContainerInitializer(
          (classes, servletContext) -> TestApp.configure(name, servletContext), null);
      for (int status : TestApp.ERROR_PAGES) {
        ErrorPage page = new ErrorPage();
        page.setErrorCode(status);
        page.setLocation("/error");
        context.addErrorPage(page);
      }
    }
    tomcat.start();
    return new TomcatLauncher(tomcat);
  }

  /** The port to connect to. */
  public int port() {
    return tomcat.getConnector().getLocalPort();
  }

  /** Stops it. */
  public void stop() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
