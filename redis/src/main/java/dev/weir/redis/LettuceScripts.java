package dev.weir.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerListOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends scripts through a Lettuce connection of any codec, standalone, Sentinel or Cluster: the
 * commands are encoded here, so the connection's codec is never asked.
 */
final class LettuceScripts implements RedisScripts {

  private static final ByteArrayCodec BYTES = ByteArrayCodec.INSTANCE;

  private final StatefulConnection<byte[], byte[]> connection;
  private final boolean owned;

  /**
   * Makes one.
   *
   * @param connection a connection; shared with the application if not owned
   * @param owned whether to close it
   */
  LettuceScripts(StatefulConnection<?, ?> connection, boolean owned) {
    this.connection = withOwnEncoding(connection);
    this.owned = owned;
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

  private CompletableFuture<List<Long>> script(
      CommandType type, String script, List<byte[]> keys, List<byte[]> arguments) {
    CommandArgs<byte[], byte[]> args =
        new CommandArgs<>(BYTES)
            .add(script.getBytes(StandardCharsets.UTF_8))
            .add(keys.size())
            .addKeys(keys);
    arguments.forEach(args::add);
    return dispatch(type, new IntegerListOutput<>(BYTES), args);
  }

  @Override
  public CompletableFuture<Void> delete(byte[] key) {
    return dispatch(
            CommandType.UNLINK, new IntegerOutput<>(BYTES), new CommandArgs<>(BYTES).addKey(key))
        .thenAccept(removed -> {});
  }

  private <T> CompletableFuture<T> dispatch(
      CommandType type, CommandOutput<byte[], byte[], T> output, CommandArgs<byte[], byte[]> args) {
    AsyncCommand<byte[], byte[], T> command = new AsyncCommand<>(new Command<>(type, output, args));
    try {
      connection.dispatch(command);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(RedisFailure.of(e));
    }
    CompletableFuture<T> answer = command.toCompletableFuture();
    return answer.exceptionallyCompose(
        failure -> CompletableFuture.failedFuture(RedisFailure.of(Failures.root(failure))));
  }

  @Override
  public void close() {
    if (owned) {
      connection.close();
    }
  }
}
