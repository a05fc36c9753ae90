package dev.weir.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The slot of a key as the Redis Cluster specification computes it, for tests. */
final class Slots {

  private Slots() {}

  static int of(byte[] key) {
    return crc16(hashed(key)) % 16384;
  }

  /** What stands between the first opening brace and the next closing one, if there is any. */
  static byte[] hashed(byte[] key) {
    String text = new String(key, StandardCharsets.ISO_8859_1);
    int open = text.indexOf('{');
    int close = open < 0 ? -1 : text.indexOf('}', open + 1);
    return close > open + 1 ? Arrays.copyOfRange(key, open + 1, close) : key;
  }

  private static int crc16(byte[] bytes) {
    int crc = 0;
    for (byte b : bytes) {
      crc ^= (b & 0xff) << 8;
      for (int i = 0; i < 8; i++) {
        crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
      }
      crc &= 0xffff;
    }
    return crc;
  }
}
