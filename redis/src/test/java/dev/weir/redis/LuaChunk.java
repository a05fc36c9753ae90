package dev.weir.redis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads compiled Lua 5.1, as {@code string.dump} gives it, for the names of the globals that a
 * script reads and writes anywhere, also in branches that no test takes.
 */
final class LuaChunk {

  private static final int HEADER_LENGTH = 12;
  private static final int GET_GLOBAL = 5;
  private static final int SET_GLOBAL = 7;
  private static final int OPCODE_BITS = 6;
  private static final int CONSTANT_SHIFT = 14;

  private final Set<String> read = new TreeSet<>();
  private final Set<String> written = new TreeSet<>();
  private final ByteBuffer bytes;

  /** Reads a dump, whose characters are bytes, of a 64-bit little-endian machine. */
  LuaChunk(String dump) {
    bytes =
        ByteBuffer.wrap(dump.getBytes(StandardCharsets.ISO_8859_1)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(HEADER_LENGTH);
    function();
  }

  Set<String> globalsRead() {
    return read;
  }

  Set<String> globalsWritten() {
    return written;
  }

  private void function() {
    text();
    skip(2 * Integer.BYTES + 4);
    int[] code = new int[bytes.getInt()];
    for (int i = 0; i < code.length; i++) {
      code[i] = bytes.getInt();
    }
    List<String> constants = constants();
    for (int instruction : code) {
      int opcode = instruction & ((1 << OPCODE_BITS) - 1);
      if (opcode == GET_GLOBAL) {
        read.add(constants.get(instruction >>> CONSTANT_SHIFT));
      } else if (opcode == SET_GLOBAL) {
        written.add(constants.get(instruction >>> CONSTANT_SHIFT));
      }
    }
    for (int functions = bytes.getInt(); functions > 0; functions--) {
      function();
    }
    skip(bytes.getInt() * Integer.BYTES);
    for (int locals = bytes.getInt(); locals > 0; locals--) {
      text();
      skip(2 * Integer.BYTES);
    }
    for (int upvalues = bytes.getInt(); upvalues > 0; upvalues--) {
      text();
    }
  }

  private List<String> constants() {
    List<String> constants = new ArrayList<>();
    for (int count = bytes.getInt(); count > 0; count--) {
      int type = bytes.get();
      constants.add(
          switch (type) {
            case 0 -> "nil";
            case 1 -> "boolean " + bytes.get();
            case 3 -> "number " + bytes.getDouble();
            case 4 -> text();
            default -> throw new IllegalStateException("no constant has type " + type);
          });
    }
    return constants;
  }

  private String text() {
    byte[] text = new byte[(int) bytes.getLong()];
    bytes.get(text);
    return new String(text, 0, Math.max(0, text.length - 1), StandardCharsets.ISO_8859_1);
  }

  private void skip(int count) {
    bytes.position(bytes.position() + count);
  }
}
