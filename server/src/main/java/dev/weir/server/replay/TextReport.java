package dev.weir.server.replay;

import dev.weir.adaptive.Tier;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.OptionalDouble;

/** The result of a replay for a terminal. */
final class TextReport {

  private TextReport() {}

  static void print(ReplayResult result, Labels labels, PrintWriter out) {
    line(out, "policy %s (adaptive: %s)", result.policy().title(), mode(result));
    line(
        out,
        "  %,d requests of %,d subjects; %,d refused by the limits of %,d subjects",
        result.sum(it -> it.requests),
        result.subjects().size(),
        result.sum(it -> it.deniedByLimits),
        result.count(it -> it.deniedByLimits > 0));
    line(
        out,
        "  %,d more refused by the tier; reached elevated %,d, suspicious %,d, blocked %,d",
        result.sum(it -> it.refusedByTier),
        result.reached(Tier.ELEVATED),
        result.reached(Tier.SUSPICIOUS),
        result.reached(Tier.BLOCKED));
    if (labels.areGiven()) {
      printLabels(result, out);
    }
    out.flush();
  }

  private static String mode(ReplayResult result) {
    return result.policy().adaptive().mode().word();
  }

  private static void printLabels(ReplayResult result, PrintWriter out) {
    line(
        out,
        "  %-14s %9s %10s %9s %9s %9s %10s %10s",
        "label",
        "subjects",
        "requests",
        "elevated",
        "flagged",
        "blocked",
        "by limits",
        "by tier");
    result
        .byLabel()
        .forEach(
            (label, it) ->
                line(
                    out,
                    "  %-14s %,9d %,10d %,9d %,9d %,9d %,10d %,10d",
                    label,
                    it.subjects(),
                    it.requests(),
                    it.elevated(),
                    it.flagged(),
                    it.blocked(),
                    it.deniedByLimits(),
                    it.refusedByTier()));
    line(
        out,
        "  precision %s, recall %s (scanners of >= 10 requests), people above normal %d",
        percent(result.precision()),
        percent(result.recall()),
        result.peopleAboveNormal());
    line(
        out,
        "  innocent requests refused by the tier %s, detected at request %s (median), %s (p90)",
        percent(result.innocentRefused()),
        number(result.detectionRequest(0.5)),
        number(result.detectionRequest(0.9)));
  }

  static String percent(OptionalDouble share) {
    return share.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f%%", share.getAsDouble() * 100);
  }

  static String number(OptionalDouble number) {
    return number.isEmpty() ? "-" : String.format(Locale.ROOT, "%.0f", number.getAsDouble());
  }

  private static void line(PrintWriter out, String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}
