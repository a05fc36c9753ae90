package dev.weir.http;

import dev.weir.Decision;
import java.util.List;
import java.util.Map;

/** One of the forms in which servers tell clients about their quota. Implementations are pure. */
public sealed interface HeaderGeneration permits LegacyHeaders, IetfHeaders {

  /** The names of the headers, in the order in which they are added. */
  List<String> names();

  /**
   * Adds the headers of an answer.
   *
   * @param headers what to add to
   * @param decisions all decisions about the request, one or more
   * @param reported the one of them that matters most
   * @param epochSeconds the time of the answer
   */
  void addTo(
      Map<String, String> headers, List<Decision> decisions, Decision reported, long epochSeconds);
}
