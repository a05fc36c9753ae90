package dev.weir.adaptive;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A subject's state as bytes, all numbers big-endian. Times are ticks of 100 ms since the epoch in
 * six bytes, counters IEEE 754 floats, sets of bits 64-bit words.
 *
 * <ol>
 *   <li>1 byte, the version
 *   <li>1 byte of flags: bits 0 to 3 whether paths, routes, principals, agents follow; bits 4 to 6
 *       how many slots follow
 *   <li>1 byte, the level of the tier
 *   <li>4 times: of the state, calm since, end of the block, told time to retry
 *   <li>13 counters: bad, slow, auth, burst, baseline, total, routes, denied, agentless, errors,
 *       strikes, risk, probes
 *   <li>8 bytes for each slot: a fingerprint, and a float how often it was asked
 *   <li>64 bytes, distinct unmatched paths: 256 bits of this generation and 256 of the last
 *   <li>128 bytes, routes: 512 bits and 512
 *   <li>16 bytes each, principals and agents: 64 bits and 64
 * </ol>
 */
public final class SubjectStateBytes {

  private static final int VERSION = 1;
  private static final int FIXED = 3 + 4 * 6 + 4 * SubjectState.COUNTERS;
  private static final int SLOT = 8;
  private static final int SLOTS_SHIFT = 4;
  private static final int HIGH_BYTES = 32;

  private SubjectStateBytes() {}

  /** The bytes of a state. Equal states have equal bytes. */
  public static byte[] write(SubjectState state) {
    int slots = slots(state);
    @Nullable SeenSet[] sets = sets(state);
    int length = FIXED + SLOT * slots;
    int flags = slots << SLOTS_SHIFT;
    for (int i = 0; i < sets.length; i++) {
      SeenSet set = sets[i];
      if (set != null && !set.isEmpty()) {
        flags |= 1 << i;
        length += set.length();
      }
    }
    ByteBuffer bytes = ByteBuffer.allocate(length);
    bytes.put((byte) VERSION).put((byte) flags).put((byte) state.tier);
    for (long tick :
        new long[] {state.tick, state.calmSinceTick, state.blockEndTick, state.retryAtTick}) {
      bytes.putShort((short) (tick >> HIGH_BYTES)).putInt((int) tick);
    }
    for (float counter : state.counters) {
      bytes.putFloat(counter);
    }
    for (int i = 0; i < SubjectState.SLOTS; i++) {
      if (state.repeats[i] > 0) {
        bytes.putInt(state.prints[i]).putFloat(state.repeats[i]);
      }
    }
    for (SeenSet set : sets) {
      if (set != null && !set.isEmpty()) {
        set.write(bytes);
      }
    }
    return bytes.array();
  }

  private static int slots(SubjectState state) {
    int slots = 0;
    for (float repeats : state.repeats) {
      slots += repeats > 0 ? 1 : 0;
    }
    return slots;
  }

  private static @Nullable SeenSet[] sets(SubjectState state) {
    return new @Nullable SeenSet[] {state.paths, state.routes, state.principals, state.agents};
  }

  /**
   * Reads a state.
   *
   * @return the state, or {@code null} if these are not the bytes of one
   */
  public static @Nullable SubjectState read(byte[] stored) {
    ByteBuffer bytes = ByteBuffer.wrap(stored);
    try {
      if (bytes.get() != VERSION) {
        return null;
      }
      SubjectState state = read(bytes);
      return bytes.hasRemaining() ? null : state;
    } catch (BufferUnderflowException e) {
      return null;
    }
  }

  private static @Nullable SubjectState read(ByteBuffer bytes) {
    int flags = bytes.get() & 0xff;
    SubjectState state = new SubjectState();
    state.tier = bytes.get();
    state.tick = tick(bytes);
    state.calmSinceTick = tick(bytes);
    state.blockEndTick = tick(bytes);
    state.retryAtTick = tick(bytes);
    for (int i = 0; i < SubjectState.COUNTERS; i++) {
      state.counters[i] = bytes.getFloat();
      if (!(state.counters[i] >= 0)) {
        return null;
      }
    }
    int slots = flags >> SLOTS_SHIFT;
    if (slots > SubjectState.SLOTS || state.tier < 0 || state.tier > Tier.BLOCKED.level()) {
      return null;
    }
    for (int i = 0; i < slots; i++) {
      state.prints[i] = bytes.getInt();
      state.repeats[i] = bytes.getFloat();
    }
    state.paths = set(flags, 0, SubjectState.PATH_BITS, bytes);
    state.routes = set(flags, 1, SubjectState.ROUTE_BITS, bytes);
    state.principals = set(flags, 2, SubjectState.PEOPLE_BITS, bytes);
    state.agents = set(flags, 3, SubjectState.PEOPLE_BITS, bytes);
    return state;
  }

  private static long tick(ByteBuffer bytes) {
    return ((long) bytes.getShort() & 0xffff) << HIGH_BYTES | (bytes.getInt() & 0xffffffffL);
  }

  private static @Nullable SeenSet set(int flags, int index, int bits, ByteBuffer bytes) {
    if ((flags & 1 << index) == 0) {
      return null;
    }
    SeenSet set = new SeenSet(bits);
    set.read(bytes);
    return set;
  }
}
