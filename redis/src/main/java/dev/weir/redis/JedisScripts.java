package dev.weir.redis;

import dev.weir.FailureCause;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Sends scripts through Jedis, whose calls block: each runs on an executor, so that the caller's
 * deadline holds whatever the timeouts of the Jedis client are.
 */
final class JedisScripts implements RedisScripts {

  private final JedisCalls jedis;
  private final Executor executor;
  private final Runnable close;

  JedisScripts(JedisCalls jedis, Executor executor, Runnable close) {
    this.jedis = jedis;
    this.executor = executor;
    this.close = close;
  }

  @Override
  public CompletableFuture<List<Long>> evalSha(
      String sha1, List<byte[]> keys, List<byte[]> arguments) {
    byte[] digest = sha1.getBytes(StandardCharsets.US_ASCII);
    return call(() -> integers(jedis.evalSha(digest, keys, arguments)));
  }

  @Override
  public CompletableFuture<List<Long>> eval(
      String script, List<byte[]> keys, List<byte[]> arguments) {
    byte[] text = script.getBytes(StandardCharsets.UTF_8);
    return call(() -> integers(jedis.eval(text, keys, arguments)));
  }

  @Override
  public CompletableFuture<byte[]> text(String script, List<byte[]> keys, List<byte[]> arguments) {
    byte[] source = script.getBytes(StandardCharsets.UTF_8);
    return call(
        () -> {
          if (jedis.eval(source, keys, arguments) instanceof byte[] text) {
            return text;
          }
          throw new RedisFailure(FailureCause.BAD_REPLY, "Redis answered a script with no text");
        });
  }

  @Override
  public CompletableFuture<Void> delete(List<byte[]> keys) {
    CompletableFuture<Long> sent = call(() -> jedis.delete(keys));
    CompletableFuture<Void> answer = sent.thenAccept(removed -> {});
    CompletableFuture<?> unused =
        answer.whenComplete(
            (done, failure) -> {
              if (answer.isCancelled()) {
                sent.cancel(true);
              }
            });
    return answer;
  }

  private <T> CompletableFuture<T> call(Supplier<T> blocking) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      executor.execute(() -> complete(answer, blocking));
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  /** Calls Jedis, unless the caller has given up waiting for a thread. */
  private static <T> void complete(CompletableFuture<T> answer, Supplier<T> blocking) {
    if (answer.isDone()) {
      return;
    }
    try {
      answer.complete(blocking.get());
    } catch (RuntimeException | Error e) {
      answer.completeExceptionally(e);
    }
  }

  private static List<Long> integers(Object reply) {
    if (reply instanceof List<?> list && list.stream().allMatch(Long.class::isInstance)) {
      return list.stream().map(Long.class::cast).toList();
    }
    throw new RedisFailure(
        FailureCause.BAD_REPLY, "Redis answered a script with " + reply + ", not integers");
  }

  @Override
  public String shardOf(byte[] key) {
    return jedis.shardOf(key);
  }

  @Override
  public boolean isCluster() {
    return jedis.isCluster();
  }

  @Override
  public Object connection() {
    return jedis.client();
  }

  @Override
  public void close() {
    close.run();
  }

  /** The calls, which {@code UnifiedJedis} and pooled {@code Jedis} both have. */
  interface JedisCalls {
    Object evalSha(byte[] sha1, List<byte[]> keys, List<byte[]> arguments);

    Object eval(byte[] script, List<byte[]> keys, List<byte[]> arguments);

    long delete(List<byte[]> keys);

    String shardOf(byte[] key);

    boolean isCluster();

    /** The client or pool that the application gave. */
    Object client();
  }
}
