package dev.weir.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerListOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A script call that goes out once, whatever the options of the connection are.
 *
 * <p>After a lost connection Lettuce writes commands that had no answer again. That would charge a
 * call twice, so what is written then is a PING in its place, which keeps the order of replies; the
 * call counts as lost. A command that was answered with an error, such as MOVED, was not carried
 * out and may be written again.
 */
final class OnceCommand extends Command<byte[], byte[], java.util.List<Long>> {

  private static final byte[] PING = "*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Output answer;
  private boolean written;
  private volatile boolean replaced;

  OnceCommand(CommandType type, CommandArgs<byte[], byte[]> arguments) {
    this(type, new Output(), arguments);
  }

  private OnceCommand(CommandType type, Output answer, CommandArgs<byte[], byte[]> arguments) {
    super(type, answer, arguments);
    this.answer = answer;
  }

  /** Whether the connection was lost before there was an answer. */
  boolean isLost() {
    return replaced;
  }

  // Commands are encoded on the event loop of their connection alone, one after the other.
  @Override
  public void encode(ByteBuf buffer) {
    if (written && !answer.refused) {
      replaced = true;
      buffer.writeBytes(PING);
      return;
    }
    written = true;
    answer.refused = false;
    super.encode(buffer);
  }

  /** The integers of the reply; the answer to a PING is passed over. */
  private static final class Output extends IntegerListOutput<byte[], byte[]> {

    private volatile boolean refused;

    Output() {
      super(ByteArrayCodec.INSTANCE);
    }

    @Override
    public void set(ByteBuffer bytes) {
      // PONG
    }

    @Override
    public void setError(ByteBuffer error) {
      refused = true;
      super.setError(error);
    }
  }
}
