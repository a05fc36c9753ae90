package dev.weir.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What the limiter needs of a Redis client. Commands go to masters only. A failed command completes
 * its future with a {@link RedisFailure}; nothing is ever sent twice by an implementation.
 */
interface RedisScripts extends AutoCloseable {

  /** EVALSHA: the integers of the reply. */
  CompletableFuture<List<Long>> evalSha(String sha1, List<byte[]> keys, List<byte[]> arguments);

  /** EVAL: the integers of the reply. */
  CompletableFuture<List<Long>> eval(String script, List<byte[]> keys, List<byte[]> arguments);

  /** UNLINK, or DEL where the client has no other. */
  CompletableFuture<Void> delete(byte[] key);

  /** Closes what this object opened itself, never what the application gave. */
  @Override
  void close();
}
