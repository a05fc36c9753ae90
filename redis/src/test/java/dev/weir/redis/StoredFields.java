package dev.weir.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The state of one limit, field by field, as this test reads the stored bytes and as Java has it.
 *
 * @param letter the layout
 * @param values the latest time seen, then the layout's own fields
 */
public record StoredFields(char letter, List<Long> values) {

  private static final int HEADER = 3;

  // By layout: the lengths of its fields in bytes.
  private static final Map<Character, int[]> LENGTHS =
      Map.of(
          'D', new int[] {7, 4, 7, 7, 4},
          'I', new int[] {7, 7, 4, 4},
          'W', new int[] {7, 7, 5},
          'C', new int[] {7, 5, 5, 5},
          'L', new int[] {7, 6, 6, 6, 6, 7},
          'K', new int[] {7, 6, 4});
  // The last one of a log is a note on its own storage, which Java has no like of.
  private static final int CHUNK_LENGTH = 4;
  private static final int[] LEASE = {7, 4};

  /** Copies the values. */
  public StoredFields {
    values = List.copyOf(values);
  }

  /** The states in a stored text, whose characters are bytes. */
  static List<StoredFields> decode(String text) {
    List<StoredFields> states = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      char letter = text.charAt(at);
      List<Long> values = new ArrayList<>();
      at += HEADER;
      for (int length : Objects.requireNonNull(LENGTHS.get(letter))) {
        values.add(number(text, at, length));
        at += length;
      }
      at += letter == 'L' ? CHUNK_LENGTH : 0;
      for (long lease = letter == 'K' ? values.get(2) : 0; lease > 0; lease--) {
        for (int length : LEASE) {
          values.add(number(text, at, length));
          at += length;
        }
      }
      states.add(new StoredFields(letter, values));
    }
    return states;
  }

  private static long number(String text, int from, int length) {
    long number = 0;
    for (int i = from; i < from + length; i++) {
      number = number << 8 | text.charAt(i);
    }
    return number;
  }
}
