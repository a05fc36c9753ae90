package dev.weir.server.replay;

import dev.weir.adaptive.Explanation;
import dev.weir.adaptive.Tier;
import dev.weir.config.AdaptiveFields;
import dev.weir.config.PolicyFields;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The result of replays as what a JSON writer takes; the page of the report reads the same. */
final class ReportData {

  private static final int MOST_SUBJECTS = 200;
  private static final int MOST_PARTS = 160;

  private ReportData() {}

  static Map<String, Object> of(List<ReplayResult> results, Labels labels, LogFiles files) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("lines", files.lines());
    data.put("broken", files.broken());
    data.put("foreign", files.foreign());
    data.put("outOfOrder", files.outOfOrder());
    data.put("labelled", labels.areGiven());
    data.put("results", results.stream().map(result -> of(result, labels)).toList());
    return data;
  }

  private static Map<String, Object> of(ReplayResult result, Labels labels) {
    Map<String, Object> data = new LinkedHashMap<>();
    Map<String, Object> policy = PolicyFields.write(result.policy().limits());
    policy.put("adaptive", AdaptiveFields.write(result.policy().adaptive()));
    data.put("title", result.policy().title());
    data.put("policy", policy);
    data.put("requests", result.sum(it -> it.requests));
    data.put("subjects", result.subjects().size());
    data.put("deniedByLimits", result.sum(it -> it.deniedByLimits));
    data.put("refusedByTier", result.sum(it -> it.refusedByTier));
    data.put("blocks", result.sum(it -> it.blocks));
    for (Tier tier : List.of(Tier.ELEVATED, Tier.SUSPICIOUS, Tier.BLOCKED)) {
      data.put(tier.word(), result.reached(tier));
    }
    if (labels.areGiven()) {
      data.put("quality", quality(result));
      data.put("labels", result.byLabel());
    }
    data.put("timeline", result.timeline().parts(MOST_PARTS));
    data.put("top", result.conspicuous(MOST_SUBJECTS).stream().map(ReportData::subject).toList());
    return data;
  }

  private static Map<String, Object> quality(ReplayResult result) {
    Map<String, Object> quality = new LinkedHashMap<>();
    quality.put("precision", value(result.precision()));
    quality.put("recall", value(result.recall()));
    quality.put("peopleAboveNormal", result.peopleAboveNormal());
    quality.put("innocentRefused", value(result.innocentRefused()));
    quality.put("detectionMedian", value(result.detectionRequest(0.5)));
    quality.put("detectionP90", value(result.detectionRequest(0.9)));
    return quality;
  }

  private static @Nullable Double value(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }

  private static Map<String, Object> subject(SubjectRecord subject) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("subject", subject.name);
    data.put("label", subject.label);
    data.put("requests", subject.requests);
    data.put("tier", subject.highest.word());
    data.put("deniedByLimits", subject.deniedByLimits);
    data.put("refusedByTier", subject.refusedByTier);
    data.put("blocks", subject.blocks);
    data.put("flaggedAtRequest", subject.flaggedAtRequest);
    data.put("first", time(subject.firstMicros));
    data.put("last", time(subject.lastMicros));
    Explanation worst = subject.worst;
    if (worst != null) {
      data.put("reasons", points(worst));
      data.put("counters", worst.counters());
      data.put("shared", worst.isShared());
    }
    data.put("history", subject.changes.stream().map(ReportData::change).toList());
    return data;
  }

  private static Map<String, Object> change(SubjectRecord.Change change) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("at", time(change.atMicros()));
    data.put("request", change.request());
    data.put("tier", change.explanation().tier().word());
    data.put("risk", rounded(change.explanation().risk()));
    data.put("points", points(change.explanation()));
    return data;
  }

  private static Map<String, Double> points(Explanation explanation) {
    Map<String, Double> points = new LinkedHashMap<>();
    explanation.points().forEach((signal, value) -> points.put(signal.word(), rounded(value)));
    return points;
  }

  private static double rounded(double value) {
    return Math.round(value * 10) / 10.0;
  }

  private static String time(long micros) {
    return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000).toString();
  }
}
