package dev.weir.adaptive;

import java.nio.charset.StandardCharsets;

/**
 * 32-bit hashes of texts: FNV-1a over UTF-8, then the finaliser of MurmurHash3, so that every bit
 * depends on every byte. The same on every node.
 */
public final class Hash {

  private static final int FNV_OFFSET = 0x811c9dc5;
  private static final int FNV_PRIME = 0x01000193;

  private Hash() {}

  /** The hash of a text. */
  public static int of(String text) {
    int hash = FNV_OFFSET;
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    hash ^= hash >>> 16;
    hash *= 0x85ebca6b;
    hash ^= hash >>> 13;
    hash *= 0xc2b2ae35;
    return hash ^ (hash >>> 16);
  }
}
