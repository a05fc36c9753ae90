package dev.weir.servlet;

/** The filter in one container: see {@link Container}. */
class JettyEe10FilterTest extends FilterContract {

  JettyEe10FilterTest() {
    super(Container.JETTY_EE10);
  }
}
