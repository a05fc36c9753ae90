package dev.weir.redis;

import dev.weir.FailureCause;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells why a command failed from what Redis answered or the client threw. */
final class FailureCauses {

  /**
   * The codes that Redis starts an error with. Inside a script Redis 6 puts its own words in front
   * and a hyphen before the code.
   */
  private static final Map<String, FailureCause> CODES = codes();

  private static final Pattern CODE =
      Pattern.compile("(?:^|[ -])(" + String.join("|", CODES.keySet()) + ")(?: |$)");

  private FailureCauses() {}

  private static Map<String, FailureCause> codes() {
    Map<String, FailureCause> codes = new LinkedHashMap<>();
    codes.put("READONLY", FailureCause.READONLY);
    codes.put("LOADING", FailureCause.LOADING);
    codes.put("BUSY", FailureCause.BUSY);
    codes.put("OOM", FailureCause.OUT_OF_MEMORY);
    codes.put("CLUSTERDOWN", FailureCause.CLUSTER_DOWN);
    codes.put("TRYAGAIN", FailureCause.CLUSTER_DOWN);
    // A client that does not go where it is sent; the next call may.
    codes.put("MOVED", FailureCause.CLUSTER_DOWN);
    codes.put("ASK", FailureCause.CLUSTER_DOWN);
    codes.put("MASTERDOWN", FailureCause.MASTER_DOWN);
    codes.put("MISCONF", FailureCause.WRITES_DISABLED);
    codes.put("NOREPLICAS", FailureCause.WRITES_DISABLED);
    codes.put("NOAUTH", FailureCause.NO_AUTHENTICATION);
    codes.put("WRONGPASS", FailureCause.NO_AUTHENTICATION);
    codes.put("NOPERM", FailureCause.NO_PERMISSION);
    codes.put("CROSSSLOT", FailureCause.CROSS_SLOT);
    codes.put("WRONGTYPE", FailureCause.SCRIPT_ERROR);
    codes.put("NOSCRIPT", FailureCause.SCRIPT_ERROR);
    return codes;
  }

  static FailureCause of(Throwable failure) {
    Throwable root = Failures.root(failure);
    for (Throwable cause = root; cause != null; cause = cause.getCause()) {
      if (cause instanceof RedisFailure known) {
        return known.cause();
      }
      FailureCause found = ofOne(cause);
      if (found != null) {
        return found;
      }
      // What Jedis met at the last node of a Cluster that it asked.
      for (Throwable met : cause.getSuppressed()) {
        FailureCause foundThere = ofOne(met);
        if (foundThere != null) {
          return foundThere;
        }
      }
    }
    return isWithoutNode(root) ? FailureCause.CLUSTER_DOWN : FailureCause.OTHER;
  }

  /** Whether a client has found no node of a Cluster to ask: Jedis, and Lettuce. */
  private static boolean isWithoutNode(Throwable failure) {
    String type = failure.getClass().getSimpleName();
    return type.equals("JedisClusterOperationException") || type.startsWith("Partition");
  }

  private static @Nullable FailureCause ofOne(Throwable failure) {
    String type = failure.getClass().getSimpleName();
    if (failure instanceof TimeoutException || type.contains("Timeout")) {
      return FailureCause.TIMEOUT;
    }
    if (failure instanceof IOException
        || failure instanceof CancellationException
        || type.contains("Connection")) {
      return FailureCause.CONNECTION;
    }
    if (failure instanceof RejectedExecutionException) {
      return FailureCause.TIMEOUT;
    }
    return ofMessage(String.valueOf(failure.getMessage()));
  }

  private static @Nullable FailureCause ofMessage(String message) {
    Matcher code = CODE.matcher(message);
    if (code.find()) {
      return CODES.get(code.group(1));
    }
    String text = message.toLowerCase(Locale.ROOT);
    // A call has more parts than Redis reads of a stranger.
    if (text.contains("unauthenticated")) {
      return FailureCause.NO_AUTHENTICATION;
    }
    if (text.contains("can't access the following key")
        || text.contains("non local key")
        || text.contains("no permissions to")
        || text.contains("the user executing the script can't")) {
      return text.contains("non local") ? FailureCause.CROSS_SLOT : FailureCause.NO_PERMISSION;
    }
    // What Lettuce says of a connection that is not there, which has no type of its own.
    if (text.contains("not connected")
        || text.contains("connection closed")
        || text.contains("connection is closed")
        || text.contains("connection reset")) {
      return FailureCause.CONNECTION;
    }
    return message.startsWith("ERR ") ? FailureCause.SCRIPT_ERROR : null;
  }
}
