package dev.weir.redis;

import dev.weir.FailureCause;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import io.lettuce.core.output.ByteArrayOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sends scripts through a Lettuce connection of any codec, standalone, Sentinel or Cluster: the
 * commands are encoded here, so the connection's codec is never asked. Scripts count as writes,
 * which Lettuce sends to masters whatever the connection's {@code ReadFrom} says.
 */
final class LettuceScripts implements RedisScripts {

  private static final ByteArrayCodec BYTES = ByteArrayCodec.INSTANCE;

  private static final long LEAVE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong left = new AtomicLong(System.nanoTime() - 2 * LEAVE_NANOS);
  private final StatefulConnection<byte[], byte[]> connection;
  private final @Nullable AbstractRedisClient opener;

  /** On a connection that the application keeps. */
  LettuceScripts(StatefulConnection<?, ?> connection) {
    this.connection = withOwnEncoding(connection);
    this.opener = null;
  }

  /** On a connection that was opened for this object alone, by a client of the application's. */
  LettuceScripts(StatefulConnection<?, ?> connection, AbstractRedisClient opener) {
    this.connection = withOwnEncoding(connection);
    this.opener = opener;
  }

  // The connection only passes on commands, which carry their own encoding.
  @SuppressWarnings("unchecked")
  private static StatefulConnection<byte[], byte[]> withOwnEncoding(
      StatefulConnection<?, ?> connection) {
    return (StatefulConnection<byte[], byte[]>) connection;
  }

  @Override
  public CompletableFuture<List<Long>> evalSha(
      String sha1, List<byte[]> keys, List<byte[]> arguments) {
    return script(CommandType.EVALSHA, sha1, keys, arguments);
  }

  @Override
  public CompletableFuture<List<Long>> eval(
      String script, List<byte[]> keys, List<byte[]> arguments) {
    return script(CommandType.EVAL, script, keys, arguments);
  }

  @Override
  public CompletableFuture<byte[]> text(String script, List<byte[]> keys, List<byte[]> arguments) {
    return dispatch(
        new Command<>(
            CommandType.EVAL,
            new ByteArrayOutput<>(BYTES),
            commandArguments(script, keys, arguments)));
  }

  private static CommandArgs<byte[], byte[]> commandArguments(
      String script, List<byte[]> keys, List<byte[]> arguments) {
    CommandArgs<byte[], byte[]> args =
        new CommandArgs<>(BYTES)
            .add(script.getBytes(StandardCharsets.UTF_8))
            .add(keys.size())
            .addKeys(keys);
    arguments.forEach(args::add);
    return args;
  }

  private CompletableFuture<List<Long>> script(
      CommandType type, String script, List<byte[]> keys, List<byte[]> arguments) {
    OnceCommand once = new OnceCommand(type, commandArguments(script, keys, arguments));
    CompletableFuture<List<Long>> sent = dispatch(once);
    CompletableFuture<List<Long>> answer =
        sent.thenApply(
            integers -> {
              if (once.isLost()) {
                throw new RedisFailure(
                    FailureCause.CONNECTION, "the connection was lost before Redis answered");
              }
              return integers;
            });
    CompletableFuture<?> unused =
        answer.whenComplete(
            (integers, failure) -> {
              if (answer.isCancelled()) {
                sent.cancel(true);
              }
              if (failure != null && FailureCauses.of(failure) == FailureCause.READONLY) {
                leave();
              }
            });
    return answer;
  }

  /**
   * Ends the connection to a node that is a replica now, so that Lettuce connects again and asks
   * Sentinel or DNS anew who the master is. Nothing else would: the connection is well. Redis ends
   * it itself, so that what the application has sent on it before is answered first. Connections
   * that know several nodes find the master by themselves.
   */
  private void leave() {
    long now = System.nanoTime();
    long last = left.get();
    if (connection instanceof StatefulRedisConnection<?, ?>
        && !(connection instanceof StatefulRedisMasterReplicaConnection<?, ?>)
        && connection.getOptions().isAutoReconnect()
        && now - last > LEAVE_NANOS
        && left.compareAndSet(last, now)) {
      CompletableFuture<?> unused =
          dispatch(new Command<>(CommandType.QUIT, new StatusOutput<>(BYTES)));
    }
  }

  @Override
  public CompletableFuture<Void> delete(List<byte[]> keys) {
    CompletableFuture<Long> sent =
        dispatch(
            new Command<>(
                CommandType.UNLINK,
                new IntegerOutput<>(BYTES),
                new CommandArgs<>(BYTES).addKeys(keys)));
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

  private <T> CompletableFuture<T> dispatch(RedisCommand<byte[], byte[], T> command) {
    AsyncCommand<byte[], byte[], T> future = new AsyncCommand<>(command);
    try {
      connection.dispatch(future);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    return future;
  }

  @Override
  public String shardOf(byte[] key) {
    if (connection instanceof StatefulRedisClusterConnection<?, ?> cluster) {
      RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
      return node == null ? "unassigned" : node.getNodeId();
    }
    return "redis";
  }

  @Override
  public boolean isCluster() {
    return connection instanceof StatefulRedisClusterConnection<?, ?>;
  }

  @Override
  public Object connection() {
    return opener == null ? connection : opener;
  }

  @Override
  public void close() {
    if (opener != null) {
      connection.close();
    }
  }
}
