package dev.weir.config;

/** A field of a configuration that cannot be used, and why. Unchecked. */
public final class ConfigException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String field;

  /**
   * Makes an exception.
   *
   * @param field the path of the field, such as {@code limits[0].refillPeriod}; empty for the whole
   * @param problem what is wrong with it, the value and the bound
   */
  public ConfigException(String field, String problem) {
    super(field.isEmpty() ? problem : field + ": " + problem);
    this.field = field;
  }

  /** The same for a problem that was thrown while the field was used. */
  static ConfigException of(String field, IllegalArgumentException problem) {
    ConfigException exception = new ConfigException(field, String.valueOf(problem.getMessage()));
    exception.initCause(problem);
    return exception;
  }

  /** The path of the field, such as {@code limits[0].refillPeriod}; empty for the whole. */
  public String field() {
    return field;
  }
}
