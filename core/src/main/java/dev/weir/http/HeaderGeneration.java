package dev.weir.http;

import dev.weir.Decision;
import java.util.Map;

/** One of the forms in which servers tell clients about their quota. Implementations are pure. */
public sealed interface HeaderGeneration permits LegacyHeaders, IetfHeaders {

  /**
   * Adds the headers for a decision.
   *
   * @param headers what to add to
   * @param epochSeconds the time of the answer
   */
  void addTo(Map<String, String> headers, Decision decision, long epochSeconds);
}
