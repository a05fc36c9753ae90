package dev.weir;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What decides several keys at once; for those who write a store. Parts whose stores are equal are
 * decided by one call of one of them.
 */
public interface JointStore {

  /**
   * Charges all parts, or none if one of them is refused.
   *
   * @param parts two or more; no two of them have one state
   * @return a decision for each part, in their order. If one is refused none is charged, and those
   *     that are allowed say what they would have been
   */
  CompletableFuture<List<Decision>> tryAcquireAll(List<JointPart> parts);
}
