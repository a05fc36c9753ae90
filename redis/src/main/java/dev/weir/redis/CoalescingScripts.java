package dev.weir.redis;

import dev.weir.FailureCause;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends decisions that are asked for at the same time in few scripts. A call goes out at once
 * unless one is under way; those that come meanwhile go together in the next one, in their order,
 * each judged by itself. So a lone caller waits for nobody. Other operations are not held back, nor
 * are calls that have to bring the script again.
 *
 * <p>A caller that gives up takes nothing from the others: what was not sent is left out, and what
 * was sent is answered to those who still wait. What fails a script fails all calls in it, each by
 * its own failure mode; state that is damaged is no failure. In a Cluster only calls for the same
 * key go together, since a slot that moves is served key by key. Safe for use by several threads.
 */
final class CoalescingScripts implements RedisScripts {

  /** So that Redis serves others in between: some tenths of a millisecond. */
  static final int MOST_CALLS = 64;

  private static final int MOST_LANES = 1 << 14;

  private static final byte[] ACQUIRE = LimitArguments.bytes(Operation.ACQUIRE.word());
  private static final byte[] PEEK = LimitArguments.bytes(Operation.PEEK.word());

  private final RedisScripts redis;
  private final Map<Integer, Lane> lanes = new ConcurrentHashMap<>();

  CoalescingScripts(RedisScripts redis) {
    this.redis = redis;
  }

  @Override
  public CompletableFuture<List<Long>> evalSha(
      String sha1, List<byte[]> keys, List<byte[]> arguments) {
    boolean decides =
        Arrays.equals(arguments.get(0), ACQUIRE) || Arrays.equals(arguments.get(0), PEEK);
    if (!decides || keys.size() != 1) {
      return redis.evalSha(sha1, keys, arguments);
    }
    Waiting call = new Waiting(sha1, keys.get(0), arguments);
    lanes.computeIfAbsent(lane(call.key), any -> new Lane()).add(call);
    return call.answer;
  }

  /** In a Cluster each key has a lane, which it shares with few others at most. */
  private int lane(byte[] key) {
    return redis.isCluster() ? Math.floorMod(Arrays.hashCode(key), MOST_LANES) : 0;
  }

  /** A call that waits for its answer. */
  private static final class Waiting {
    private final String sha1;
    private final byte[] key;
    private final List<byte[]> arguments;
    private final CompletableFuture<List<Long>> answer = new CompletableFuture<>();

    Waiting(String sha1, byte[] key, List<byte[]> arguments) {
      this.sha1 = sha1;
      this.key = key;
      this.arguments = arguments;
    }

    byte[] permits() {
      return arguments.get(arguments.size() - 1);
    }

    /** Whether all but key and permits is the same. */
    boolean asksLike(Waiting other) {
      if (!sha1.equals(other.sha1) || arguments.size() != other.arguments.size()) {
        return false;
      }
      for (int i = 0; i < arguments.size() - 1; i++) {
        if (!Arrays.equals(arguments.get(i), other.arguments.get(i))) {
          return false;
        }
      }
      return true;
    }
  }

  /** Calls that were sent together. */
  private record Batch(List<Waiting> calls, CompletableFuture<List<Long>> sent) {}

  /** Calls that can share a script, in their order. */
  private final class Lane {
    private final Deque<Waiting> queue = new ArrayDeque<>();

    /** One at a time: the client's threads may overtake each other on their way to a connection. */
    private boolean isUnderWay;

    void add(Waiting call) {
      synchronized (this) {
        queue.addLast(call);
      }
      drain();
    }

    /** Sends what waits, unless something is under way. */
    void drain() {
      for (Batch batch = sendNext(); batch != null; batch = sendNext()) {
        await(batch);
      }
    }

    /** Takes and sends in one step, so that nobody else's batch overtakes; answers nobody. */
    private synchronized @Nullable Batch sendNext() {
      List<Waiting> batch = next();
      if (batch.isEmpty()) {
        return null;
      }
      isUnderWay = true;
      return new Batch(batch, sendTogether(batch));
    }

    private List<Waiting> next() {
      if (isUnderWay) {
        return List.of();
      }
      List<Waiting> batch = new ArrayList<>();
      Waiting first = null;
      while (batch.size() < MOST_CALLS && fits(first, queue.peekFirst())) {
        Waiting call = queue.removeFirst();
        if (!call.answer.isDone()) {
          batch.add(call);
          first = first == null ? call : first;
        }
      }
      return batch;
    }

    private boolean fits(@Nullable Waiting first, @Nullable Waiting call) {
      if (first == null || call == null || call.answer.isDone()) {
        return call != null;
      }
      return call.asksLike(first) && (!redis.isCluster() || Arrays.equals(call.key, first.key));
    }

    private synchronized void ended() {
      isUnderWay = false;
    }

    private void await(Batch batch) {
      CompletableFuture<List<Long>> sent = batch.sent;
      AtomicBoolean isOver = new AtomicBoolean();
      Runnable over =
          () -> {
            if (isOver.compareAndSet(false, true)) {
              ended();
            }
          };
      AtomicInteger waiting = new AtomicInteger(batch.calls.size());
      for (Waiting call : batch.calls) {
        CompletableFuture<?> unused =
            call.answer.whenComplete(
                (answer, failure) -> {
                  // When nobody waits any more it must not keep others waiting.
                  if (waiting.decrementAndGet() == 0 && call.answer.isCancelled()) {
                    over.run();
                    sent.cancel(true);
                    drain();
                  }
                });
      }
      CompletableFuture<?> unused =
          sent.whenComplete(
              (reply, failure) -> {
                over.run();
                drain();
                answer(batch.calls, reply, failure);
              });
    }
  }

  private CompletableFuture<List<Long>> sendTogether(List<Waiting> batch) {
    Waiting first = batch.get(0);
    List<byte[]> keys = new ArrayList<>(batch.size());
    List<byte[]> arguments = new ArrayList<>(first.arguments.size() + batch.size());
    arguments.addAll(first.arguments.subList(0, first.arguments.size() - 1));
    for (Waiting call : batch) {
      keys.add(call.key);
      arguments.add(call.permits());
    }
    try {
      return redis.evalSha(first.sha1, keys, arguments);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static void answer(
      List<Waiting> batch, @Nullable List<Long> reply, @Nullable Throwable failure) {
    if (reply == null || reply.size() % batch.size() != 0) {
      Throwable cause =
          failure != null
              ? Failures.root(failure)
              : new RedisFailure(
                  FailureCause.BAD_REPLY,
                  "Redis answered %d calls with %d numbers"
                      .formatted(batch.size(), reply == null ? 0 : reply.size()));
      batch.forEach(call -> call.answer.completeExceptionally(cause));
      return;
    }
    int each = reply.size() / batch.size();
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).answer.complete(reply.subList(i * each, (i + 1) * each));
    }
  }

  @Override
  public CompletableFuture<List<Long>> eval(
      String script, List<byte[]> keys, List<byte[]> arguments) {
    return redis.eval(script, keys, arguments);
  }

  @Override
  public CompletableFuture<byte[]> text(String script, List<byte[]> keys, List<byte[]> arguments) {
    return redis.text(script, keys, arguments);
  }

  @Override
  public CompletableFuture<Void> delete(List<byte[]> keys) {
    return redis.delete(keys);
  }

  @Override
  public String shardOf(byte[] key) {
    return redis.shardOf(key);
  }

  @Override
  public boolean isCluster() {
    return redis.isCluster();
  }

  @Override
  public Object connection() {
    return redis.connection();
  }

  @Override
  public void close() {
    redis.close();
  }
}
