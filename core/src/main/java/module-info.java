/** Rate limits that are exact: the API, the arithmetic, and the limiter in memory. */
module dev.weir.core {
  requires static com.github.benmanes.caffeine;
  requires static java.json.canonicalization;
  requires static transitive io.grpc;
  requires static transitive java.net.http;
  requires static transitive micrometer.core;
  requires static transitive org.jspecify;
  requires static transitive org.reactivestreams;
  requires static transitive reactor.core;

  exports dev.weir;
  exports dev.weir.adaptive;
  exports dev.weir.algorithm;
  exports dev.weir.bots;
  exports dev.weir.client;
  exports dev.weir.config;
  exports dev.weir.decorate;
  exports dev.weir.fingerprint;
  exports dev.weir.grpc;
  exports dev.weir.http;
  exports dev.weir.local;
  exports dev.weir.micrometer;
  exports dev.weir.reactor;
  exports dev.weir.wait;
}
