package dev.weir.server.replay;

import dev.weir.config.ConfigException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What clients are, decided by somebody who knows: a CSV file with a line {@code client,label} for
 * each, plain or gzip. Scanners are to be found; whoever is neither that nor {@link #UNSURE} is
 * innocent.
 */
final class Labels {

  /** Who is to be found. */
  static final String SCANNER = "scanner";

  /** Who is left out of precision and recall. */
  static final String UNSURE = "probe_light";

  /** Who must never be disturbed. */
  static final Set<String> PEOPLE = Set.of("human", "owner");

  /** Who has no label. */
  static final String NONE = "unlabelled";

  private final Map<String, String> byClient;

  private Labels(Map<String, String> byClient) {
    this.byClient = byClient;
  }

  static Labels none() {
    return new Labels(Map.of());
  }

  static Labels read(List<Path> files) {
    Map<String, String> labels = new HashMap<>();
    for (Path file : files) {
      try (BufferedReader reader = LogFiles.open(file)) {
        for (String line : reader.lines().toList()) {
          int comma = line.indexOf(',');
          if (comma > 0 && !line.startsWith("client,")) {
            labels.put(line.substring(0, comma).strip(), line.substring(comma + 1).strip());
          }
        }
      } catch (IOException e) {
        throw new ConfigException("", file + " cannot be read: " + e.getMessage());
      }
    }
    return new Labels(labels);
  }

  boolean areGiven() {
    return !byClient.isEmpty();
  }

  String of(String client) {
    return byClient.getOrDefault(client, NONE);
  }

  static boolean isInnocent(String label) {
    return !label.equals(SCANNER) && !label.equals(UNSURE) && !label.equals(NONE);
  }
}
