package dev.weir.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports of the loopback address. They are below those that systems give to outgoing
 * connections: a server that is down for a while finds its port free when it comes back, and nobody
 * who calls it meanwhile is connected to himself. The port 10,000 above, which a node of a Cluster
 * needs too, is free as well.
 */
final class Ports {

  private static final int FIRST = 10_000;
  private static final int LAST = 22_767;
  private static final int BUS = 10_000;
  private static final int ATTEMPTS = 1_000;

  private Ports() {}

  static int free() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      if (isFree(port) && isFree(port + BUS)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port from " + FIRST + " to " + LAST);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
