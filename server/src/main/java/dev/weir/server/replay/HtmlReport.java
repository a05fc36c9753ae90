package dev.weir.server.replay;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The report as one page that needs nothing else: its data, style and script are in it. */
final class HtmlReport {

  private HtmlReport() {}

  /**
   * The page.
   *
   * @param json the data, as {@link ReportData} makes it
   */
  static String page(String json) throws IOException {
    return resource("report.html")
        .replace("/*STYLE*/", resource("report.css"))
        .replace("/*SCRIPT*/", resource("report.js"))
        // Only a "<" could end the element that the data is in.
        .replace("/*DATA*/", json.replace("<", "\\u003c"));
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("the resource " + name + " is missing from the program");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
