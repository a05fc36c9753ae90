package dev.weir.server;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How the service is started.
 *
 * @param address where to listen; port 0 takes a free one
 * @param config the file of policies, if there is one
 * @param apiKeys the file of keys, if they are in one of their own
 */
record ServiceOptions(InetSocketAddress address, Optional<Path> config, Optional<Path> apiKeys) {

  /** Without files. */
  static ServiceOptions at(InetSocketAddress address) {
    return new ServiceOptions(address, Optional.empty(), Optional.empty());
  }
}
