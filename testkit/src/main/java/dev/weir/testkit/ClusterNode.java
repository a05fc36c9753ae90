package dev.weir.testkit;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of CLUSTER NODES: what a node of a Cluster knows of another or of itself.
 *
 * @param id its name
 * @param port its port
 * @param flags what it is, such as {@code myself,master}
 * @param masterId the name of its master, {@code -} if it is one
 * @param link whether the two are connected
 * @param slots the slots that it serves, as ranges
 */
record ClusterNode(String id, int port, String flags, String masterId, String link, String slots) {

  private static final Pattern LINE =
      Pattern.compile("(\\S+) \\S*?:(\\d+)@\\S+ (\\S+) (\\S+) \\S+ \\S+ \\S+ (\\S+) ?(.*)");

  /** What a node knows of all. */
  static List<ClusterNode> parse(RedisServer node) {
    return String.valueOf(node.command("CLUSTER", "NODES"))
        .lines()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .map(
            line ->
                new ClusterNode(
                    line.group(1),
                    Integer.parseInt(line.group(2)),
                    line.group(3),
                    line.group(4),
                    line.group(5),
                    line.group(6)))
        .toList();
  }

  boolean isMyself() {
    return flags.contains("myself");
  }

  boolean isConnected() {
    return link.equals("connected") && !flags.contains("handshake");
  }

  /** What it is, whoever says so: its slots, or its master; and whether it is taken as dead. */
  String role() {
    boolean isMaster = flags.contains("master");
    return (isMaster ? "master of " + ranges() : "replica of " + masterId)
        + (flags.contains("fail") ? " which has failed" : "");
  }

  // What is being moved only its two masters know.
  private String ranges() {
    return slots.replaceAll(" ?\\[[^]]*]", "");
  }

  /** Whether it serves that slot; what it is moving or waiting for does not count. */
  boolean hasSlot(int slot) {
    for (String range : slots.split(" ", -1)) {
      int dash = range.indexOf('-');
      if (!range.isEmpty() && !range.startsWith("[")) {
        int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
        int last = Integer.parseInt(range.substring(dash + 1));
        if (first <= slot && slot <= last) {
          return true;
        }
      }
    }
    return false;
  }

  int firstSlot() {
    return Integer.parseInt(slots.split("[- ]", 2)[0]);
  }
}
