package dev.weir.server.api;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.weir.Limit;
import dev.weir.adaptive.AddressList;
import dev.weir.config.ConfigException;
import dev.weir.config.Fields;
import dev.weir.http.RateLimitHeaders;
import dev.weir.server.decide.AttributesFields;
import dev.weir.server.decide.Decider;
import dev.weir.server.decide.RequestDecision;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /v1/decide} and {@code /v1/report}: requests by what is known of them, for which a policy
 * is found. Never blocks.
 */
final class RequestService {

  private static final String COST = "cost";
  private static final String STATUS = "status";
  private static final String OUTCOMES = "outcomes";
  private static final int MOST_OUTCOMES = 1_000;
  private static final long MICROS_PER_SECOND = 1_000_000;

  private final Decider decider;
  private final Supplier<AddressList> proxies;
  private final RateLimitHeaders headers = RateLimitHeaders.standard();
  private final InstantSource clock;

  RequestService(Decider decider, Supplier<AddressList> proxies, InstantSource clock) {
    this.decider = decider;
    this.proxies = proxies;
    this.clock = clock;
  }

  CompletableFuture<AggregatedHttpResponse> decide(@Nullable Object body) {
    return decider
        .decide(AttributesFields.read(body, List.of(COST), proxies.get()), cost(body))
        .thenApply(ruling -> ruling.map(this::answer).orElseGet(RequestService::noPolicy));
  }

  static OptionalLong cost(@Nullable Object body) {
    Fields fields = new Fields(body, "");
    return fields.has(COST)
        ? OptionalLong.of(fields.wholeNumber(COST, 0, Limit.MAX_PERMITS))
        : OptionalLong.empty();
  }

  private static AggregatedHttpResponse noPolicy() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("allowed", true);
    members.put("policy", null);
    return json(HttpStatus.OK, members);
  }

  private AggregatedHttpResponse answer(RequestDecision ruling) {
    ResponseHeadersBuilder builder =
        ResponseHeaders.builder(ruling.allowed() ? HttpStatus.OK : HttpStatus.TOO_MANY_REQUESTS)
            .contentType(ruling.allowed() ? MediaType.JSON : Problem.TYPE);
    if (ruling.verdict().allowed() || !ruling.isShadow()) {
      headers.of(ruling.verdict().base(), clock.instant().getEpochSecond()).forEach(builder::set);
    }
    if (!ruling.allowed()) {
      builder.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
      long wait = ruling.verdict().retryAfterMicros();
      builder.remove(HttpHeaderNames.RETRY_AFTER);
      if (wait >= 0) {
        builder.setLong(
            HttpHeaderNames.RETRY_AFTER,
            Math.max(1, (wait + MICROS_PER_SECOND - 1) / MICROS_PER_SECOND));
      }
    }
    return AggregatedHttpResponse.of(
        builder.build(), HttpData.wrap(Json.write(DecisionBody.of(ruling))));
  }

  CompletableFuture<AggregatedHttpResponse> report(@Nullable Object body) {
    Fields fields = new Fields(body, "");
    int noted = 0;
    if (fields.has(OUTCOMES)) {
      fields.onlyKnown(List.of(OUTCOMES));
      if (!(fields.get(OUTCOMES) instanceof List<?> list) || list.size() > MOST_OUTCOMES) {
        throw new ConfigException(
            OUTCOMES, "must be a list of at most " + MOST_OUTCOMES + " outcomes");
      }
      for (Object outcome : list) {
        noted += reportOne(outcome) ? 1 : 0;
      }
    } else {
      noted = reportOne(body) ? 1 : 0;
    }
    return CompletableFuture.completedFuture(json(HttpStatus.ACCEPTED, Map.of("noted", noted)));
  }

  private boolean reportOne(@Nullable Object body) {
    int status = (int) new Fields(body, "").wholeNumber(STATUS, 100, 599);
    return decider.report(AttributesFields.read(body, List.of(STATUS), proxies.get()), status);
  }

  static AggregatedHttpResponse json(HttpStatus status, Object value) {
    return AggregatedHttpResponse.of(status, MediaType.JSON, HttpData.wrap(Json.write(value)));
  }
}
