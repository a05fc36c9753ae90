package dev.weir.servlet;

/** The filter in one container: see {@link Container}. */
class Tomcat11FilterTest extends FilterContract {

  Tomcat11FilterTest() {
    super(Container.TOMCAT_11);
  }
}
