package dev.weir.fingerprint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.erdtman.jcs.JsonCanonicalizer;

/**
 * The fingerprint of a request with a JSON body: method, route, and a hash of the body's canonical
 * form (RFC 8785). So neither the order of keys, nor white space, nor another spelling of a number
 * or a letter hides that a request is repeated; and two requests to one route that ask for
 * different things are different.
 *
 * <pre>{@code
 * reader.read(method, path, route, false, agent, user, JsonFingerprint.of(method, route, body), 1)
 * }</pre>
 *
 * <p>Pure. What is no JSON object or array, is longer than {@link #LONGEST_BODY}, is nested deeper
 * than {@link #DEEPEST} or cannot be made canonical counts by method and route alone.
 */
public final class JsonFingerprint {

  /** The longest body that is looked at: 64 KiB. */
  public static final int LONGEST_BODY = 64 * 1024;

  /** How deep objects and arrays may be nested: 64. */
  public static final int DEEPEST = 64;

  private JsonFingerprint() {}

  /**
   * The fingerprint of a request.
   *
   * @param method the HTTP method
   * @param route the template of the route, or of the path
   * @param body the body's bytes, in UTF-8
   */
  public static String of(String method, String route, byte[] body) {
    String head = method + ' ' + route;
    if (body.length < 2 || body.length > LONGEST_BODY || isTooDeep(body)) {
      return head;
    }
    try {
      return head + ' ' + hash(new JsonCanonicalizer(text(body)).getEncodedUTF8());
    } catch (IOException | RuntimeException noJson) {
      return head;
    }
  }

  /** Malformed UTF-8 is no JSON: to guess at it would make two bodies the same. */
  private static String text(byte[] body) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
  }

  private static boolean isTooDeep(byte[] body) {
    int depth = 0;
    boolean inText = false;
    for (int i = 0; i < body.length; i++) {
      byte b = body[i];
      if (inText) {
        i += b == '\\' ? 1 : 0;
        inText = b != '"';
      } else if (b == '"') {
        inText = true;
      } else if (b == '{' || b == '[') {
        depth++;
        if (depth > DEEPEST) {
          return true;
        }
      } else if (b == '}' || b == ']') {
        depth--;
      }
    }
    return false;
  }

  private static String hash(byte[] canonical) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(canonical);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
