package dev.weir.server;

import dev.weir.server.security.ApiKey;
import dev.weir.server.security.Role;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir key}: makes a key of the service. It is shown once and kept nowhere. */
@Command(
    name = "key",
    description = "Makes a key, and the lines for a file that let its holder in.",
    mixinStandardHelpOptions = true)
final class KeyCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "Who holds it; the author of what is changed.")
  private String name = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      defaultValue = "decide",
      description =
          "decide (ask and report), read (look at everything) or admin (default:"
              + " ${DEFAULT-VALUE}).")
  private String role = "";

  @Override
  public Integer call() {
    Role chosen =
        Arrays.stream(Role.values())
            .filter(it -> it.word().equals(role.toLowerCase(Locale.ROOT)))
            .findFirst()
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(),
                        "--role must be decide, read or admin, and was '" + role + "'"));
    try {
      ApiKey.checkName(name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    String key = ApiKey.random();
    PrintWriter out = spec.commandLine().getOut();
    out.printf("The key, which is shown this once: %s%n%n", key);
    out.printf("For the file that --config or --api-keys names:%n%n");
    out.printf("apiKeys:%n  - name: %s%n    role: %s%n", name, chosen.word());
    out.printf("    hash: %s%n", ApiKey.hashOf(key));
    out.flush();
    return 0;
  }
}
