package dev.weir.testkit;

import dev.weir.adaptive.AddressRanges;
import dev.weir.adaptive.OverrideStore;
import dev.weir.local.LocalOverrideStore;
import java.time.Duration;

class LocalOverrideStoreTest extends OverrideStoreContract {

  private final ManualClock clock = new ManualClock();

  @Override
  protected OverrideStore store(AddressRanges fixed) {
    return LocalOverrideStore.create(clock, fixed);
  }

  @Override
  protected void pass(Duration time) {
    clock.advance(time);
  }
}
