package dev.weir.server;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/**
 * How the service is started.
 *
 * @param address where to listen; port 0 takes a free one
 * @param config the file of policies, if there is one
 * @param apiKeys the file of keys, if they are in one of their own
 * @param clock the time of figures and headers; limits have that of their store
 */
record ServiceOptions(
    InetSocketAddress address, Optional<Path> config, Optional<Path> apiKeys, InstantSource clock) {

  /** Without files. */
  static ServiceOptions at(InetSocketAddress address) {
    return new ServiceOptions(address, Optional.empty(), Optional.empty(), InstantSource.system());
  }
}
