package dev.weir.servlet;

/** The filter in one container: see {@link Container}. */
class Tomcat101FilterTest extends FilterContract {

  Tomcat101FilterTest() {
    super(Container.TOMCAT_10_1);
  }
}
