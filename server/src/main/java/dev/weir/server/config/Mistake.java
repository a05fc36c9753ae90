package dev.weir.server.config;

/**
 * What is wrong with a file, and where.
 *
 * @param line from 1
 * @param column from 1
 * @param field the path of the field, such as {@code policies[0].limits[0].window}; empty for the
 *     whole
 * @param problem what is wrong, the value, and what to do
 */
public record Mistake(int line, int column, String field, String problem) {

  /** The field and what is wrong with it. */
  public String message() {
    return field.isEmpty() ? problem : field + ": " + problem;
  }

  /** The same after the file's name and the place, as editors and compilers write it. */
  public String in(String file) {
    return "%s:%d:%d: %s".formatted(file, line, column, message());
  }
}
