package dev.weir.adaptive;

import java.nio.ByteBuffer;

/**
 * Which hashes were seen lately: one bit for each remainder, in two generations. A hash seen in
 * either counts as seen, and is carried into the younger. When time moves into the next generation,
 * or when half of the younger one's bits are set, the younger becomes the elder. Mutable.
 */
final class SeenSet {

  private final int words;
  private final long[] now;
  private final long[] before;
  private int count;

  /**
   * An empty set.
   *
   * @param bits how many bits a generation has: a multiple of 64
   */
  SeenSet(int bits) {
    this.words = bits / Long.SIZE;
    this.now = new long[words];
    this.before = new long[words];
  }

  SeenSet copy() {
    SeenSet copy = new SeenSet(words * Long.SIZE);
    copy.takeFrom(this);
    return copy;
  }

  private void takeFrom(SeenSet other) {
    System.arraycopy(other.now, 0, now, 0, words);
    System.arraycopy(other.before, 0, before, 0, words);
    count = other.count;
  }

  /** Moves from one generation, counted since the epoch, to another. */
  void move(long fromGeneration, long toGeneration) {
    if (toGeneration > fromGeneration) {
      turn();
      if (toGeneration > fromGeneration + 1) {
        turn();
      }
    }
  }

  private void turn() {
    System.arraycopy(now, 0, before, 0, words);
    java.util.Arrays.fill(now, 0);
    count = 0;
  }

  /** Notes a hash. Returns whether it was new. */
  boolean add(int hash) {
    int bit = Integer.remainderUnsigned(hash, words * Long.SIZE);
    int word = bit / Long.SIZE;
    long mask = 1L << (bit % Long.SIZE);
    if ((now[word] & mask) != 0) {
      return false;
    }
    boolean isNew = (before[word] & mask) == 0;
    now[word] |= mask;
    count++;
    if (count > words * Long.SIZE / 2) {
      turn();
    }
    return isNew;
  }

  /** How many different remainders were seen in both generations. */
  int distinct() {
    int distinct = 0;
    for (int i = 0; i < words; i++) {
      distinct += Long.bitCount(now[i] | before[i]);
    }
    return distinct;
  }

  boolean isEmpty() {
    return distinct() == 0;
  }

  /** The bytes of {@link #write}. */
  int length() {
    return 2 * words * Long.BYTES;
  }

  void write(ByteBuffer bytes) {
    for (long word : now) {
      bytes.putLong(word);
    }
    for (long word : before) {
      bytes.putLong(word);
    }
  }

  void read(ByteBuffer bytes) {
    count = 0;
    for (int i = 0; i < words; i++) {
      now[i] = bytes.getLong();
      count += Long.bitCount(now[i]);
    }
    for (int i = 0; i < words; i++) {
      before[i] = bytes.getLong();
    }
  }
}
