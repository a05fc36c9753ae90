package dev.weir.server;

import dev.weir.server.replay.ReplayCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line. */
@Command(
    name = "weir",
    description = "A rate limiter as a service.",
    mixinStandardHelpOptions = true,
    version = "weir 0.1.0",
    subcommands = {ServeCommand.class, ReplayCommand.class, CheckCommand.class, KeyCommand.class})
public final class Main {

  private Main() {}

  /** Runs a command and ends the process: 0 if it went well, 1 if it failed, 2 if misused. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main());
  }
}
