package dev.weir.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the header {@code Forwarded} (RFC 7239). Pure. */
public final class Forwarded {

  /** What stands for an element that does not say whom it is for; it is no address. */
  private static final String NOBODY = "";

  private static final int LONGEST_LINE = 8192;
  private static final String NAME = "([!#$%&'*+.^_`|~0-9A-Za-z-]+)";
  private static final String QUOTED = "\"((?:[^\"\\\\]|\\\\.)*+)\"";
  private static final String BARE = "([^=\",;\\\\ \\t]*+)";
  private static final Pattern PAIR =
      Pattern.compile("[ \\t]*" + NAME + "=(?:" + QUOTED + "|" + BARE + ")[ \\t]*");

  private Forwarded() {}

  /**
   * The {@code for} of each element, in the order of the header lines, so that the nearest is last.
   *
   * @return addresses and names as sent, and the empty text for an element without {@code for}; of
   *     a line that is not of the form of the header, and of all before it, one empty text
   */
  public static List<String> clients(List<String> lines) {
    List<String> clients = new ArrayList<>();
    for (String line : lines) {
      if (line.length() > LONGEST_LINE || !addTo(clients, line)) {
        clients.clear();
        clients.add(NOBODY);
      }
    }
    return clients;
  }

  private static boolean addTo(List<String> clients, String line) {
    Matcher pair = PAIR.matcher(line);
    String client = NOBODY;
    int at = 0;
    while (at <= line.length()) {
      if (pair.find(at) && pair.start() == at) {
        at = pair.end();
        if (pair.group(1).toLowerCase(Locale.ROOT).equals("for")) {
          if (!client.equals(NOBODY)) {
            return false;
          }
          client = value(pair);
        }
      }
      char next = at < line.length() ? line.charAt(at) : ',';
      if (next != ',' && next != ';') {
        return false;
      }
      if (next == ',') {
        clients.add(client);
        client = NOBODY;
      }
      at++;
    }
    return true;
  }

  private static String value(Matcher pair) {
    String quoted = pair.group(2);
    String value = quoted == null ? pair.group(3) : quoted.replaceAll("\\\\(.)", "$1");
    // A comma would be read as two addresses by those who split lists.
    return value.indexOf(',') < 0 ? value : NOBODY;
  }
}
