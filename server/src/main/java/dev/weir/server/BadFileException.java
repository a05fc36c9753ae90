package dev.weir.server;

import dev.weir.server.config.ConfigFile;
import java.util.stream.Collectors;

/** A file that cannot be used when the service starts. */
final class BadFileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  BadFileException(ConfigFile file) {
    super(
        file.mistakes().stream()
            .map(mistake -> mistake.in(file.path().toString()))
            .collect(Collectors.joining(System.lineSeparator())));
  }
}
