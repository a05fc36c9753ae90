package dev.weir.servlet;

import dev.weir.Decision;
import jakarta.servlet.ServletRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the filters of this package know of one request, whatever dispatches it goes through. Used
 * by one thread after the other.
 */
final class RequestState {

  private static final String ATTRIBUTE = RequestState.class.getName();

  // Filters have no equals, so that each is one of its own.
  private final Map<RateLimitFilter, Optional<CompletableFuture<Admission>>> filters =
      new HashMap<>(2);
  private final Set<Ask.Charged> charged = new HashSet<>();
  private final List<Decision> decisions = new ArrayList<>(2);

  /** The state of a request. */
  static RequestState of(ServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof RequestState known) {
      return known;
    }
    RequestState state = new RequestState();
    request.setAttribute(ATTRIBUTE, state);
    return state;
  }

  /** Notes that a request has come to a filter; says whether that is for the first time. */
  boolean enter(RateLimitFilter filter) {
    return filters.putIfAbsent(filter, Optional.empty()) == null;
  }

  /** Notes that a filter waits for an answer, for which it will be called again. */
  void await(RateLimitFilter filter, CompletableFuture<Admission> answer) {
    filters.put(filter, Optional.of(answer));
  }

  /** The answer that a filter waits for, once; {@code null} if it waits for none. */
  @Nullable CompletableFuture<Admission> awaited(RateLimitFilter filter) {
    Optional<CompletableFuture<Admission>> awaited = filters.put(filter, Optional.empty());
    return awaited == null ? null : awaited.orElse(null);
  }

  /** Whether a key of a policy has not been charged for this request; it has after this. */
  boolean charge(Ask ask) {
    return charged.add(ask.charged());
  }

  /** All decisions about this request, those of other filters too. */
  List<Decision> add(List<Decision> more) {
    decisions.addAll(more);
    return decisions;
  }
}
