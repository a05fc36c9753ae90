package dev.weir.server.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weir.config.ConfigException;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** JSON as this service reads and writes it: strict, and of bounded depth. */
final class Json {

  private static final int DEEPEST = 16;
  private static final Pattern DUPLICATE = Pattern.compile("Duplicate field '(.{1,64})'");

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private Json() {}

  /**
   * Reads a text: maps, lists, texts, numbers, booleans, null.
   *
   * @throws ConfigException if it is not JSON; the message says where
   */
  static @Nullable Object read(byte[] text) {
    if (text.length == 0) {
      throw new ConfigException("", "the body is empty; send a JSON object");
    }
    try {
      return MAPPER.readValue(text, Object.class);
    } catch (JsonProcessingException e) {
      throw new ConfigException(repeated(e), "the body is not valid JSON" + place(e) + reason(e));
    } catch (IOException e) {
      throw new ConfigException("", "the body is not valid JSON");
    }
  }

  private static String place(JsonProcessingException e) {
    return e.getLocation() == null
        ? ""
        : " (line %d, column %d)"
            .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
  }

  private static String reason(JsonProcessingException e) {
    if (!repeated(e).isEmpty()) {
      return ": the field is there twice";
    }
    String message = String.valueOf(e.getOriginalMessage());
    return message.contains("nesting depth") ? ": it is nested too deeply" : "";
  }

  /** The field that is there twice, or nothing. */
  private static String repeated(JsonProcessingException e) {
    Matcher field = DUPLICATE.matcher(String.valueOf(e.getOriginalMessage()));
    return field.lookingAt() ? field.group(1) : "";
  }

  static byte[] write(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer is always JSON", e);
    }
  }
}
