package dev.weir.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells in a few lines which property keeps an application from starting. */
final class WeirFailureAnalyzer extends AbstractFailureAnalyzer<WeirPropertyException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, WeirPropertyException cause) {
    return new FailureAnalysis(
        cause.property() + ": " + cause.problem(),
        "Correct " + cause.property() + ". Weir's docs/spring.md has all properties.",
        cause);
  }
}
