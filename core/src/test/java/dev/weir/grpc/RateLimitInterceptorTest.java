package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.RateLimitPolicy;
import dev.weir.RateLimiter;
import dev.weir.local.LocalRateLimiter;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A gRPC server with limits, called through a channel. */
@NullUnmarked
class RateLimitInterceptorTest {

  private static final Metadata.Key<String> USER =
      Metadata.Key.of("user", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

  private static final MethodDescriptor.Marshaller<String> TEXT =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(String value) {
          return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
          try {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private static final MethodDescriptor<String, String> ECHO =
      MethodDescriptor.<String, String>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("test.Echo/Echo")
          .setRequestMarshaller(TEXT)
          .setResponseMarshaller(TEXT)
          .build();

  private final AtomicInteger served = new AtomicInteger();
  private Server server;
  private ManagedChannel channel;

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.shutdownNow();
  }

  private void start(Limit limit) throws IOException {
    RateLimiter limiter = LocalRateLimiter.create(RateLimitPolicy.of("calls", limit));
    ServerServiceDefinition service =
        ServerServiceDefinition.builder("test.Echo")
            .addMethod(
                ECHO,
                ServerCalls.asyncUnaryCall(
                    (request, answer) -> {
                      served.incrementAndGet();
                      if (request.equals("fail")) {
                        throw new IllegalStateException("on purpose");
                      }
                      answer.onNext(request);
                      answer.onCompleted();
                    }))
            .build();
    String name = InProcessServerBuilder.generateName();
    server =
        InProcessServerBuilder.forName(name)
            .addService(
                ServerInterceptors.intercept(
                    service,
                    RateLimitInterceptor.of(limiter, (call, headers) -> headers.get(USER))))
            .build()
            .start();
    channel = InProcessChannelBuilder.forName(name).build();
  }

  private String call(String user, String text) {
    Metadata headers = new Metadata();
    headers.put(USER, user);
    return ClientCalls.blockingUnaryCall(
        io.grpc.ClientInterceptors.intercept(
            channel, MetadataUtils.newAttachHeadersInterceptor(headers)),
        ECHO,
        CallOptions.DEFAULT,
        text);
  }

  @Test
  void refusedCallsAreExhaustedAndSayWhenToComeAgain() throws Exception {
    start(FixedWindow.of(2, Duration.ofHours(1)));
    assertThat(call("alice", "a")).isEqualTo("a");
    assertThat(call("alice", "b")).isEqualTo("b");
    assertThatThrownBy(() -> call("alice", "c"))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            it -> {
              assertThat(it.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
              assertThat(it.getStatus().getDescription()).contains("fixed-window");
              assertThat(Long.parseLong(it.getTrailers().get(PUSHBACK)))
                  .isBetween(3_500_000L, 3_600_000L);
            });
    assertThat(call("bob", "d")).isEqualTo("d");
    assertThat(served).hasValue(3);
  }

  @Test
  void whoCannotBeToldIsNotServed() throws Exception {
    start(FixedWindow.of(2, Duration.ofHours(1)));
    assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, "a"))
        .hasMessageContaining("UNAUTHENTICATED");
    assertThat(served).hasValue(0);
  }

  @Test
  void whatIsHeldIsFreeWhenTheCallIsOverHoweverItEnds() throws Exception {
    start(Concurrency.of(1, Duration.ofMinutes(1)));
    for (int i = 0; i < 20; i++) {
      String text = i % 2 == 0 ? "fail" : "ok";
      eventually(text);
    }
  }

  /** The client hears of the end an instant before the server's listener. */
  private void eventually(String text) {
    long start = System.nanoTime();
    while (true) {
      try {
        assertThat(call("alice", text)).isEqualTo("ok");
        return;
      } catch (StatusRuntimeException e) {
        if (e.getStatus().getCode() != Status.Code.RESOURCE_EXHAUSTED) {
          assertThat(text).isEqualTo("fail");
          return;
        }
        assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
        Thread.onSpinWait();
      }
    }
  }
}
