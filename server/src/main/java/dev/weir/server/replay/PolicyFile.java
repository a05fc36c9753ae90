package dev.weir.server.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.weir.RateLimitPolicy;
import dev.weir.adaptive.AdaptivePolicy;
import dev.weir.config.AdaptiveFields;
import dev.weir.config.ConfigException;
import dev.weir.config.PolicyFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A policy in a file, JSON or YAML: the fields of a policy's limits, and under {@code adaptive} how
 * it adapts. Without that it does not.
 *
 * @param title the policy's name and the file's, which tell two apart
 * @param limits the limits
 * @param adaptive how it adapts
 */
record PolicyFile(String title, RateLimitPolicy limits, AdaptivePolicy adaptive) {

  private static final String ADAPTIVE = "adaptive";
  private static final String NAME = "name";

  /**
   * Reads a file.
   *
   * @throws ConfigException if it is missing, is neither JSON nor YAML, or no policy
   */
  static PolicyFile read(Path file) {
    Object content = content(file);
    if (!(content instanceof Map<?, ?> map)) {
      throw new ConfigException("", file + " must hold an object with the field limits");
    }
    Map<Object, Object> rest = new LinkedHashMap<>(map);
    Object adaptive = rest.remove(ADAPTIVE);
    String name = rest.get(NAME) instanceof String given ? given : nameOf(file);
    AdaptivePolicy policy =
        adaptive == null
            ? AdaptivePolicy.builder().mode(AdaptivePolicy.Mode.OFF).build()
            : AdaptiveFields.read(adaptive, ADAPTIVE);
    String title = name + " in " + file.getFileName();
    return new PolicyFile(title, PolicyFields.read(name, rest), policy);
  }

  private static Object content(Path file) {
    try {
      Object content = mapper(file).readValue(Files.readString(file), Object.class);
      return content == null ? "" : content;
    } catch (NoSuchFileException e) {
      throw new ConfigException("", "there is no file " + file);
    } catch (JsonProcessingException e) {
      throw new ConfigException(
          "",
          "%s is not readable (line %d): %s"
              .formatted(
                  file,
                  e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                  e.getOriginalMessage()));
    } catch (IOException e) {
      throw new ConfigException("", file + " cannot be read: " + e.getMessage());
    }
  }

  private static ObjectMapper mapper(Path file) {
    return file.toString().endsWith(".json")
        ? JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build()
        : new ObjectMapper(
            YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build());
  }

  /** The file's name without its ending, with what a policy's name cannot have replaced. */
  private static String nameOf(Path file) {
    String name = String.valueOf(file.getFileName()).replaceFirst("\\.[A-Za-z]+$", "");
    String fitting = name.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[^A-Za-z0-9]+", "");
    return fitting.isEmpty() ? "policy" : fitting.substring(0, Math.min(64, fitting.length()));
  }
}
