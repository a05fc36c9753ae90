package dev.weir.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What a context serves: an endpoint for each way in which a request can go through servlets. */
final class TestServlets {

  /** One way to serve. */
  @FunctionalInterface
  interface Handler {
    void serve(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException;
  }

  private static final class Handling extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private final transient Handler handler;

    Handling(Handler handler) {
      this.handler = handler;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      handler.serve(request, response);
    }
  }

  // Requests of /slow that are being served, by the name that they were given.
  private final Map<String, CountDownLatch> slow = new ConcurrentHashMap<>();

  private TestServlets() {}

  static void addTo(ServletContext context) {
    TestServlets it = new TestServlets();
    add(context, "/", (request, response) -> response.sendError(404));
    add(context, "/ok", TestServlets::ok);
    add(context, "/login", TestServlets::ok);
    add(context, "/verify/*", TestServlets::ok);
    add(context, "/throw", (request, response) -> fail());
    add(context, "/error", TestServlets::error);
    add(
        context,
        "/forward",
        (request, response) -> request.getRequestDispatcher("/ok").forward(request, response));
    add(
        context,
        "/include",
        (request, response) -> request.getRequestDispatcher("/ok").include(request, response));
    add(context, "/dispatch", TestServlets::dispatch);
    add(context, "/complete", TestServlets::complete);
    add(context, "/gone/*", TestServlets::gone);
    add(context, "/async-throw", TestServlets::asyncThrow);
    add(context, "/timeout", (request, response) -> request.startAsync().setTimeout(50));
    add(context, "/slow", it::slow);
    add(context, "/entered", it::entered);
    add(context, "/release", it::release);
  }

  private static void add(ServletContext context, String pattern, Handler handler) {
    Servlet servlet = new Handling(handler);
    ServletRegistration.Dynamic registration = context.addServlet(pattern, servlet);
    registration.addMapping(pattern);
    registration.setAsyncSupported(true);
  }

  private static void ok(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/plain");
    response.getWriter().write("ok " + Thread.currentThread().getName());
  }

  private static void error(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.getWriter().write("error page");
  }

  private static void fail() throws ServletException {
    throw new ServletException("thrown on purpose");
  }

  private static void dispatch(HttpServletRequest request, HttpServletResponse response) {
    AsyncContext context = request.startAsync();
    new Thread(() -> context.dispatch("/ok")).start();
  }

  private static void complete(HttpServletRequest request, HttpServletResponse response) {
    completeLater(request, 202);
  }

  private static void gone(HttpServletRequest request, HttpServletResponse response) {
    completeLater(request, 404);
  }

  private static void completeLater(HttpServletRequest request, int status) {
    AsyncContext context = request.startAsync();
    new Thread(
            () -> {
              ((HttpServletResponse) context.getResponse()).setStatus(status);
              context.complete();
            })
        .start();
  }

  private static void asyncThrow(HttpServletRequest request, HttpServletResponse response)
      throws ServletException {
    if (request.getAttribute("second") == null) {
      request.setAttribute("second", true);
      request.startAsync().dispatch();
    } else {
      throw new ServletException("thrown on purpose, after a dispatch");
    }
  }

  private void slow(HttpServletRequest request, HttpServletResponse response) {
    CountDownLatch latch =
        slow.computeIfAbsent(request.getParameter("name"), it -> new CountDownLatch(1));
    AsyncContext context = request.startAsync();
    context.setTimeout(20_000);
    new Thread(
            () -> {
              try {
                if (latch.await(20, TimeUnit.SECONDS)) {
                  context.complete();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            })
        .start();
  }

  private void entered(HttpServletRequest request, HttpServletResponse response) {
    response.setStatus(slow.containsKey(request.getParameter("name")) ? 200 : 404);
  }

  private void release(HttpServletRequest request, HttpServletResponse response) {
    slow.computeIfAbsent(request.getParameter("name"), it -> new CountDownLatch(1)).countDown();
  }
}
