package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a script call writes the first time, again after a lost connection, and after MOVED. */
class OnceCommandTest {

  private final OnceCommand command =
      new OnceCommand(
          CommandType.EVALSHA, new CommandArgs<>(ByteArrayCodec.INSTANCE).add("sha").add(0));

  private String written() {
    ByteBuf buffer = Unpooled.buffer();
    command.encode(buffer);
    return buffer.toString(StandardCharsets.US_ASCII);
  }

  @Test
  void isWrittenOnceAndThenAPingKeepsItsPlace() {
    assertThat(written()).contains("EVALSHA");
    assertThat(command.isLost()).isFalse();
    assertThat(written()).isEqualTo("*1\r\n$4\r\nPING\r\n");
    assertThat(command.isLost()).isTrue();
  }

  @Test
  void isWrittenAgainAfterAnErrorWhichProvesThatNothingWasDone() {
    written();
    command
        .getOutput()
        .setError(ByteBuffer.wrap("MOVED 1 127.0.0.1:1".getBytes(StandardCharsets.US_ASCII)));
    assertThat(written()).contains("EVALSHA");
    assertThat(command.isLost()).isFalse();
  }
}
