package dev.weir.client;

import dev.weir.client.ListItems.Item;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a server told about one of its limits. Pure.
 *
 * <p>It is read from {@code RateLimit} in the forms of all drafts (lists of items, the one
 * dictionary of draft 07, and the three headers of drafts 00 to 06), and from {@code
 * X-RateLimit-*}, whose reset is taken as seconds since 1970 from 10^9 on and as seconds from now
 * below. What is malformed is ignored.
 *
 * @param name the limit's name; empty if it has none
 * @param remaining how many units are left, 0 or more
 * @param until how long until there are more; nothing if the server does not say
 */
public record ServerQuota(String name, long remaining, Optional<Duration> until) {

  private static final long LEAST_EPOCH = 1_000_000_000;

  /**
   * The limits of an answer.
   *
   * @param headers gives the values of a header, one for each line
   * @param now when the answer came
   * @return none if it comes from a cache, says nothing, or is malformed
   */
  public static List<ServerQuota> read(Function<String, List<String>> headers, Instant now) {
    if (number(headers, "Age").filter(age -> age > 0).isPresent()) {
      return List.of();
    }
    List<ServerQuota> quotas = new ArrayList<>();
    List<String> lines = headers.apply("RateLimit");
    for (Item item : ListItems.of(lines)) {
      item.number("r").ifPresent(r -> quotas.add(of(item.name(), r, item.number("t"), now)));
    }
    if (quotas.isEmpty()) {
      dictionary(lines, now).ifPresent(quotas::add);
    }
    for (String prefix : List.of("RateLimit", "X-RateLimit", "X-Rate-Limit")) {
      if (quotas.isEmpty()) {
        Optional<Long> reset = number(headers, prefix + "-Reset");
        number(headers, prefix + "-Remaining").ifPresent(r -> quotas.add(of("", r, reset, now)));
      }
    }
    return quotas;
  }

  private static ServerQuota of(String name, long remaining, Optional<Long> reset, Instant now) {
    return new ServerQuota(
        name,
        remaining,
        reset.map(
            seconds ->
                Duration.ofSeconds(
                    seconds < LEAST_EPOCH
                        ? seconds
                        : Math.max(0, seconds - now.getEpochSecond()))));
  }

  /** Draft 07: {@code limit=100, remaining=50, reset=5}. */
  private static Optional<ServerQuota> dictionary(List<String> lines, Instant now) {
    String text = String.join(",", lines);
    Optional<Long> remaining = member(text, "remaining");
    return remaining.map(r -> of("", r, member(text, "reset"), now));
  }

  private static Optional<Long> member(String text, String name) {
    for (String member : text.split(",", -1)) {
      String stripped = member.strip();
      if (stripped.matches(name + "=\\d{1,15}")) {
        return Optional.of(Long.parseLong(stripped.substring(name.length() + 1)));
      }
    }
    return Optional.empty();
  }

  private static Optional<Long> number(Function<String, List<String>> headers, String name) {
    List<String> values = headers.apply(name);
    // Some servers add the limits of several windows after a comma.
    String first = values.isEmpty() ? "" : values.get(0).split("[,;]", -1)[0].strip();
    return first.matches("\\d{1,15}") ? Optional.of(Long.parseLong(first)) : Optional.empty();
  }

  /**
   * How long a client has to leave a server alone after an answer: {@code Retry-After} of a 429 or
   * 503, which comes before everything else; otherwise until the limits of which nothing remains
   * have something again.
   *
   * @param headers gives the values of a header, one for each line
   * @param now when the answer came
   * @return zero if it need not wait
   */
  public static Duration holdOff(int status, Function<String, List<String>> headers, Instant now) {
    if (status == 429 || status == 503) {
      Optional<Duration> told = retryAfter(headers.apply("Retry-After"), now);
      if (told.isPresent()) {
        return told.get();
      }
    }
    Duration longest = Duration.ZERO;
    for (ServerQuota quota : read(headers, now)) {
      Duration until = quota.until().orElse(Duration.ZERO);
      if (quota.remaining() == 0 && until.compareTo(longest) > 0) {
        longest = until;
      }
    }
    return longest;
  }

  private static Optional<Duration> retryAfter(List<String> values, Instant now) {
    String value = values.isEmpty() ? "" : values.get(0).strip();
    if (value.matches("\\d{1,15}")) {
      return Optional.of(Duration.ofSeconds(Long.parseLong(value)));
    }
    try {
      Instant at = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return Optional.of(at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
