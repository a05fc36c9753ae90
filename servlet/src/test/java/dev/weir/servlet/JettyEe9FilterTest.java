package dev.weir.servlet;

/** The filter in one container: see {@link Container}. */
class JettyEe9FilterTest extends FilterContract {

  JettyEe9FilterTest() {
    super(Container.JETTY_EE9);
  }
}
