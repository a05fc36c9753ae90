package dev.weir.redis;

import dev.weir.RateLimitPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A script as sent to Redis: the clock, the prelude, the algorithms that a policy uses, and the
 * operation. There is one for each set of algorithms and operation; limits are arguments.
 *
 * @param text the Lua source
 * @param sha1 its SHA-1 in lower-case hexadecimal
 */
record Script(String text, String sha1) {

  private static final String FOLDER = "lua/";

  /** Where the scripts of policies come from. */
  interface Source {
    Script of(RateLimitPolicy policy, Operation operation);

    /** The script that judges keys of several policies together. */
    default Script joint(List<RateLimitPolicy> policies) {
      RateLimitPolicy.Builder all = RateLimitPolicy.builder("all");
      Set<AlgorithmScript> used = EnumSet.noneOf(AlgorithmScript.class);
      policies.stream()
          .flatMap(policy -> policy.limits().stream())
          .filter(named -> used.add(LimitArguments.of(named.limit()).script()))
          .forEach(named -> all.limit(named.limit()));
      return of(all.build(), Operation.JOINT);
    }
  }

  /** The script that judges calls of a policy, on Redis' clock. */
  static Script of(RateLimitPolicy policy) {
    return of(policy, Operation.ACQUIRE);
  }

  /** The script for an operation of a policy, on Redis' clock. */
  static Script of(RateLimitPolicy policy, Operation operation) {
    return of(policy, operation, resource(FOLDER + "clock.lua"));
  }

  /** The script for an operation of a policy, on a clock of the caller's: for tests. */
  static Script of(RateLimitPolicy policy, Operation operation, String clock) {
    Set<AlgorithmScript> used =
        policy.limits().stream()
            .map(named -> LimitArguments.of(named.limit()).script())
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(AlgorithmScript.class)));
    StringBuilder text = new StringBuilder(clock).append(resource(FOLDER + "prelude.lua"));
    used.forEach(algorithm -> text.append(resource(FOLDER + algorithm.file())));
    text.append(resource(FOLDER + "store.lua"));
    operation.files().forEach(file -> text.append(resource(FOLDER + file)));
    return new Script(text.toString(), sha1(text.toString()));
  }

  static String resource(String name) {
    try (InputStream in = Script.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the script " + name + " is missing from the jar of Weir");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
