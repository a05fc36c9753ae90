package dev.weir.server.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The requests and answers of the last minutes, to try policies on: at most 20,000 of them, at most
 * 16 million characters, and none longer than 8,192. Safe for use by several threads.
 */
public final class RecentCalls {

  private static final int MOST = 20_000;
  private static final long MOST_CHARACTERS = 16_000_000;
  private static final int LONGEST = 8_192;

  private final Deque<SeenCall> calls = new ArrayDeque<>();
  private long characters;

  /** Adds a call, and forgets the oldest where there is no room. */
  public synchronized void add(SeenCall call) {
    int length = call.request().length();
    if (length > LONGEST) {
      return;
    }
    calls.addLast(call);
    characters += length;
    while (calls.size() > MOST || characters > MOST_CHARACTERS) {
      characters -= calls.removeFirst().request().length();
    }
  }

  /** Those since a time, the oldest first. */
  public synchronized List<SeenCall> since(long micros) {
    return calls.stream().filter(it -> it.atMicros() >= micros).toList();
  }
}
