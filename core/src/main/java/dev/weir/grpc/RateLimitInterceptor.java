package dev.weir.grpc;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.RateLimiterException;
import dev.weir.Source;
import dev.weir.decorate.Guard;
import dev.weir.decorate.RefusedException;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.lang.System.Logger.Level;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Limits the calls of a gRPC server. One that is refused is closed with {@code RESOURCE_EXHAUSTED},
 * and {@code grpc-retry-pushback-ms} tells clients that retry when to come again, or with -1 not
 * to. If the store is away and the policy refuses then, or nobody can decide, it is {@code
 * UNAVAILABLE}; who cannot be told is {@code UNAUTHENTICATED}. Safe for use by several threads.
 *
 * <p>The answer is waited for on the thread of the call, within the limiter's time budget: do not
 * use it in a server with a direct executor. Permits of a {@link dev.weir.Concurrency} limit are
 * held until the call is over.
 */
public final class RateLimitInterceptor implements ServerInterceptor {

  /** Tells whom a call is charged to. */
  @FunctionalInterface
  public interface KeyOfCall {
    /** The key; {@code null} if it cannot be told. */
    @Nullable String of(ServerCall<?, ?> call, Metadata headers);
  }

  private static final System.Logger LOG = System.getLogger("dev.weir.grpc");
  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

  private final RateLimiter limiter;
  private final KeyOfCall key;

  private RateLimitInterceptor(RateLimiter limiter, KeyOfCall key) {
    this.limiter = Objects.requireNonNull(limiter, "limiter");
    this.key = Objects.requireNonNull(key, "key");
  }

  /** An interceptor that charges each call one permit. */
  public static RateLimitInterceptor of(RateLimiter limiter, KeyOfCall key) {
    return new RateLimitInterceptor(limiter, key);
  }

  @Override
  public <Q, A> Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String charged = key.of(call, headers);
    if (charged == null) {
      return close(call, Status.UNAUTHENTICATED.withDescription("nobody to charge"), null);
    }
    Guard.Permit permit;
    try {
      permit = Guard.of(limiter, charged).enter();
    } catch (RefusedException e) {
      Decision refusal = e.decision();
      Status status =
          refusal.source() == Source.DEGRADED_CLOSED
              ? Status.UNAVAILABLE.withDescription("the limiter cannot decide")
              : Status.RESOURCE_EXHAUSTED.withDescription(
                  "limit '" + refusal.limitedBy().orElse("") + "' is exceeded");
      return close(call, status, refusal);
    } catch (RateLimiterException e) {
      LOG.log(Level.ERROR, "a call could not be decided and gets UNAVAILABLE", e);
      return close(call, Status.UNAVAILABLE.withDescription("the limiter cannot decide"), null);
    }
    return started(call, headers, next, permit);
  }

  private static <Q, A> Listener<Q> started(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next, Guard.Permit permit) {
    Listener<Q> listener;
    try {
      listener = next.startCall(call, headers);
    } catch (RuntimeException e) {
      permit.close();
      throw e;
    }
    // One of the two is the last that is told of every call.
    return new SimpleForwardingServerCallListener<Q>(listener) {
      @Override
      public void onComplete() {
        permit.close();
        super.onComplete();
      }

      @Override
      public void onCancel() {
        permit.close();
        super.onCancel();
      }
    };
  }

  private static <Q, A> Listener<Q> close(
      ServerCall<Q, A> call, Status status, @Nullable Decision refusal) {
    Metadata trailers = new Metadata();
    if (refusal != null) {
      trailers.put(PUSHBACK, Long.toString(pushbackMillis(refusal)));
    }
    call.close(status, trailers);
    return new Listener<Q>() {};
  }

  private static long pushbackMillis(Decision refusal) {
    if (refusal.retryAfter().isNever()) {
      return -1;
    }
    long millis = (refusal.retryAfter().toMicros() + 999) / 1_000;
    return Math.min(Integer.MAX_VALUE, millis);
  }
}
