package dev.weir.server.decide;

import dev.weir.adaptive.Origin;
import dev.weir.adaptive.Treatment;

/** What somebody decided by hand, as it holds now. Must be safe for use by several threads. */
@FunctionalInterface
public interface ByHand {

  /** What a subject's call is judged by. */
  Treatment treatment(String subject, Origin origin);
}
