package dev.weir.server;

import dev.weir.server.config.ConfigReader;
import dev.weir.server.config.Mistake;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir check}: says whether files of policies can be used, and what is wrong with them. */
@Command(
    name = "check",
    description = "Says whether files of policies can be used: every mistake with its place.",
    mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "The files, YAML or JSON.")
  private List<Path> files = new ArrayList<>();

  @Override
  public Integer call() {
    boolean isGood = true;
    for (Path file : files) {
      isGood &= check(file);
    }
    return isGood ? 0 : 1;
  }

  private boolean check(Path file) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      err.println("weir: there is no file " + file);
      return false;
    } catch (MalformedInputException e) {
      err.println("weir: " + file + " is not UTF-8; save it as UTF-8");
      return false;
    } catch (IOException e) {
      err.println("weir: cannot read " + file + " (" + e.getMessage() + ")");
      return false;
    }
    ConfigReader.Result result = ConfigReader.read(text);
    for (Mistake mistake : result.mistakes()) {
      err.println(mistake.in(file.toString()));
    }
    int count = result.mistakes().size();
    if (count > 0) {
      err.println(count == 1 ? "1 mistake" : count + " mistakes");
      return false;
    }
    int policies = result.config().policies().size();
    out.println(file + ": good, " + (policies == 1 ? "1 policy" : policies + " policies"));
    return true;
  }
}
