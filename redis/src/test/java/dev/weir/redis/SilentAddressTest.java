package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.FailureMode;
import dev.weir.FixedWindow;
import dev.weir.RateLimitPolicy;
import dev.weir.Source;
import dev.weir.testkit.RedisServer;
import dev.weir.testkit.TcpProxy;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisPool;

/** B03: fifty callers of an address that says nothing are answered together, in time. */
class SilentAddressTest {

  private static final int CALLERS = 50;
  private static final RateLimitPolicy POLICY =
      RateLimitPolicy.builder("api")
          .limit(FixedWindow.of(10, Duration.ofHours(1)))
          .failureMode(FailureMode.open())
          .build();

  private static void fiftyCallersAreAnswered(RedisRateLimiter limiter) {
    long start = System.nanoTime();
    List<CompletableFuture<Decision>> calls =
        IntStream.range(0, CALLERS).mapToObj(i -> limiter.tryAcquireAsync("u" + i)).toList();
    for (CompletableFuture<Decision> call : calls) {
      assertThat(call.join().source()).isEqualTo(Source.DEGRADED_OPEN);
    }
    assertThat(System.nanoTime() - start).isLessThan(1_000_000_000L);
  }

  @Test
  void b03APortThatAcceptsNobody() throws IOException {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < 4; i++) {
        // As many as the system lets wait; the last ones are not even connected.
        Socket socket = new Socket();
        waiting.add(socket);
        Thread connecting =
            new Thread(
                () -> {
                  try {
                    socket.connect(full.getLocalSocketAddress(), 5_000);
                  } catch (IOException expected) {
                    // nobody accepts
                  }
                });
        connecting.setDaemon(true);
        connecting.start();
      }
      try (JedisPool pool =
              new JedisPool(full.getInetAddress().getHostAddress(), full.getLocalPort());
          RedisRateLimiter limiter = JedisRateLimiter.create(pool, POLICY)) {
        fiftyCallersAreAnswered(limiter);
      }
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  @Test
  void b03AConnectionThatFallsSilent() {
    try (RedisServer redis = RedisServer.start();
        TcpProxy proxy = TcpProxy.of(redis)) {
      RedisClient client = RedisClient.create(proxy.uri());
      try (RedisRateLimiter lettuce = LettuceRateLimiter.create(client, POLICY);
          JedisPool pool = new JedisPool(proxy.host(), proxy.port());
          RedisRateLimiter jedis = JedisRateLimiter.create(pool, POLICY)) {
        for (RedisRateLimiter limiter : List.of(lettuce, jedis)) {
          FaultCall.warmUp(limiter, "u");
        }
        proxy.stall();
        fiftyCallersAreAnswered(lettuce);
        fiftyCallersAreAnswered(jedis);
        proxy.heal();
        assertThat(FaultCall.awaitRedis(lettuce, "u")).isPositive();
        assertThat(FaultCall.awaitRedis(jedis, "u")).isPositive();
      } finally {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
      }
    }
  }
}
