package dev.weir.spring.autoconfigure;

/** A property that cannot be used; the message says what it was, the bound, and what to do. */
final class WeirPropertyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String property;
  private final String problem;

  WeirPropertyException(String property, String problem) {
    super(property + ": " + problem);
    this.property = property;
    this.problem = problem;
  }

  String property() {
    return property;
  }

  String problem() {
    return problem;
  }
}
