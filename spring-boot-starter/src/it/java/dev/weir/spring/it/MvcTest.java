package dev.weir.spring.it;

class MvcTest extends WebContract {

  MvcTest() {
    super(Instance.mvc(MvcApplication.class, Services.POLICIES));
  }
}
