package dev.weir.spring.aop;

import dev.weir.http.ClientKey;
import dev.weir.http.HttpRequestView;
import dev.weir.spring.web.CurrentRequest;
import dev.weir.spring.web.HttpRules;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The key of the client whose request is being answered. */
final class CurrentClient {

  private final Supplier<HttpRules> rules;

  CurrentClient(Supplier<HttpRules> rules) {
    this.rules = rules;
  }

  /** Of the request that this thread answers. */
  String ofThread() {
    return key(CurrentRequest.ofThread());
  }

  /** Of the request that the subscriber answers. */
  Mono<String> ofSubscriber() {
    return Mono.deferContextual(
        context -> Mono.fromSupplier(() -> key(CurrentRequest.ofContext(context))));
  }

  private String key(@Nullable HttpRequestView request) {
    if (request == null) {
      throw new IllegalStateException(
          "a method with @RateLimited and no key was called outside of a request, so there is no"
              + " client to charge; give the annotation a key");
    }
    ClientKey key = rules.get().client().of(request);
    if (!key.isCharged()) {
      throw new IllegalStateException(
          "it cannot be told whom this request is from, so there is nobody to charge");
    }
    return key.text();
  }
}
