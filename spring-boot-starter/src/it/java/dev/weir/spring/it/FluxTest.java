package dev.weir.spring.it;

class FluxTest extends WebContract {

  FluxTest() {
    super(Instance.flux(FluxApplication.class, Services.POLICIES));
  }
}
