package dev.weir.server.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object for each request, with the names that nginx, Caddy, Traefik and others use; what
 * is nested is found by its last name.
 */
final class JsonFormat {

  private static final List<String> ADDRESS =
      List.of("remote_addr", "remote_ip", "client_ip", "clientip", "ClientHost", "address", "ip");
  private static final List<String> USER =
      List.of("remote_user", "user_id", "ClientUsername", "user");
  private static final List<String> TIME =
      List.of("time_iso8601", "time_local", "timestamp", "@timestamp", "time", "ts", "StartUTC");
  private static final List<String> REQUEST = List.of("request_line", "request");
  private static final List<String> METHOD =
      List.of("request_method", "RequestMethod", "http_method", "method");
  private static final List<String> TARGET =
      List.of("request_uri", "RequestPath", "uri", "url", "path");
  private static final List<String> STATUS =
      List.of("status", "status_code", "DownstreamStatus", "response_code", "code");
  private static final List<String> AGENT =
      List.of("http_user_agent", "user_agent", "request_User-Agent", "User-Agent", "agent");

  private static final DateTimeFormatter LOCAL_TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT);
  private static final double LARGEST_SECONDS = 1e11;

  private final JsonMapper mapper = new JsonMapper();

  @Nullable LogLine parse(String line) {
    try {
      return read(mapper.readTree(line));
    } catch (JsonProcessingException | DateTimeException | NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable LogLine read(JsonNode root) {
    String address = text(root, ADDRESS);
    String time = text(root, TIME);
    String status = text(root, STATUS);
    String target = text(root, TARGET);
    String request = target == null ? text(root, REQUEST) : text(root, METHOD) + " " + target;
    if (address == null || time == null || status == null || request == null) {
      return null;
    }
    String user = text(root, USER);
    String agent = text(root, AGENT);
    return LogLines.of(
        address,
        user == null ? "" : user,
        micros(time),
        request,
        Integer.parseInt(status),
        agent == null ? "" : agent);
  }

  private static @Nullable String text(JsonNode root, List<String> names) {
    for (String name : names) {
      JsonNode found = root.has(name) ? root.get(name) : root.findValue(name);
      if (found != null && found.isArray() && !found.isEmpty()) {
        found = found.get(0);
      }
      if (found != null && found.isValueNode() && !found.isNull()) {
        return found.asText();
      }
    }
    return null;
  }

  /** A time as ISO 8601, as Apache writes it, or as seconds or milliseconds since the epoch. */
  static long micros(String text) {
    if (text.matches("[0-9.Ee+]+")) {
      double number = Double.parseDouble(text);
      return Math.round(number * (number > LARGEST_SECONDS ? 1_000 : 1_000_000));
    }
    Instant instant =
        text.indexOf('/') > 0
            ? OffsetDateTime.parse(text, LOCAL_TIME).toInstant()
            : OffsetDateTime.parse(text).toInstant();
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }
}
