package dev.weir.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What the limiter needs of a Redis client. Commands go to masters only. A command that fails
 * completes its future with what the client threw; a script is never sent twice. Cancelling a
 * future keeps a command that was not sent yet from being sent.
 */
interface RedisScripts extends AutoCloseable {

  /** EVALSHA: the integers of the reply. */
  CompletableFuture<List<Long>> evalSha(String sha1, List<byte[]> keys, List<byte[]> arguments);

  /** EVAL: the integers of the reply. */
  CompletableFuture<List<Long>> eval(String script, List<byte[]> keys, List<byte[]> arguments);

  /** EVAL of a script that writes nothing, on the master: its reply, which is a text. */
  CompletableFuture<byte[]> text(String script, List<byte[]> keys, List<byte[]> arguments);

  /** UNLINK of keys of one slot. */
  CompletableFuture<Void> delete(List<byte[]> keys);

  /** A name for the part of the store that fails and recovers together with this key. */
  String shardOf(byte[] key);

  /** Whether it is a Cluster client, which follows the slots. */
  boolean isCluster();

  /** What limiters that fail and recover together have in common: compared by identity. */
  Object connection();

  /** Closes what this object opened itself, never what the application gave. */
  @Override
  void close();
}
