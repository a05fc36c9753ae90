package dev.weir.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between a client and a server on the loopback address and makes the network bad. It ends
 * with {@link #close}; its threads do not keep the JVM. Safe for use by several threads.
 */
public final class TcpProxy implements AutoCloseable {

  private static final long NEVER = Long.MAX_VALUE;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final int port = Ports.free();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile InetSocketAddress target;
  private volatile ServerSocket listener;
  private volatile Thread accepting;
  private volatile long delayNanos;
  private volatile boolean stalled;
  private volatile long cutAfter = NEVER;

  private TcpProxy(InetSocketAddress target) {
    this.target = target;
    this.listener = listen();
    this.accepting = accepting();
  }

  /** A proxy of a Redis that passes everything on. */
  public static TcpProxy of(RedisServer server) {
    return new TcpProxy(new InetSocketAddress(server.host(), server.port()));
  }

  /** The address to connect to. */
  public String host() {
    return "127.0.0.1";
  }

  /** The port to connect to. */
  public int port() {
    return port;
  }

  /** {@code redis://host:port}. */
  public String uri() {
    return "redis://" + host() + ":" + port;
  }

  /** Sends connections made from now on to another server; those that are open stay as they are. */
  public void retarget(RedisServer server) {
    target = new InetSocketAddress(server.host(), server.port());
  }

  /** Ends all connections and listens no more: whoever connects is refused. */
  public void refuse() {
    closeQuietly(listener);
    // While somebody waits in accept, the system goes on listening.
    joinAccepting();
    cut();
  }

  private void joinAccepting() {
    try {
      accepting.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends all connections; new ones are welcome. */
  public void cut() {
    sockets.forEach(TcpProxy::closeQuietly);
  }

  /** Passes on each piece of a reply that much later, or a little more. */
  public void delay(Duration delay) {
    delayNanos = delay.toNanos();
  }

  /** Keeps what both sides send until healed. */
  public void stall() {
    stalled = true;
  }

  /** Ends each connection when that many bytes of replies have been passed on from now on. */
  public void cutAfter(long replyBytes) {
    cutAfter = replyBytes;
  }

  /** Passes everything on again, on the same port. */
  public void heal() {
    delayNanos = 0;
    stalled = false;
    cutAfter = NEVER;
    if (listener.isClosed()) {
      listener = listen();
      accepting = accepting();
    }
  }

  private ServerSocket listen() {
    try {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException("port " + port, e);
    }
  }

  private Thread accepting() {
    ServerSocket socket = listener;
    return start("accept", () -> accept(socket));
  }

  private void accept(ServerSocket socket) {
    try {
      while (true) {
        connect(socket.accept());
      }
    } catch (IOException closed) {
      // refusing, or closed for good
    }
  }

  private void connect(Socket client) {
    Socket server = new Socket();
    try {
      server.connect(target);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
    } catch (IOException e) {
      closeQuietly(client);
      closeQuietly(server);
      return;
    }
    sockets.add(client);
    sockets.add(server);
    start("request", () -> pump(client, server, false));
    start("reply", () -> pump(server, client, true));
  }

  private void pump(Socket from, Socket to, boolean replies) {
    byte[] buffer = new byte[64 * 1024];
    long passed = 0;
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        hold(replies);
        long left = cutAfter;
        passed = replies && left != NEVER ? passed : 0;
        int most = replies ? (int) Math.min(read, left - passed) : read;
        out.write(buffer, 0, most);
        passed += most;
        if (replies && passed >= left) {
          break;
        }
      }
    } catch (IOException closed) {
      // by one of the two sides, or cut
    } finally {
      closeQuietly(from);
      closeQuietly(to);
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private void hold(boolean replies) {
    long until = System.nanoTime() + (replies ? delayNanos : 0);
    while (stalled || System.nanoTime() < until) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static Thread start(String what, Runnable work) {
    Thread thread = new Thread(work, "tcp-proxy-" + what);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void closeQuietly(java.io.Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is of no more use in any case
    }
  }

  @Override
  public void close() {
    stalled = false;
    refuse();
  }
}
