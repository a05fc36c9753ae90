package dev.weir.testkit;

/** The seed of everything random in a run: the system property {@value #PROPERTY}, or the clock. */
public final class Seed {

  /** The system property that fixes the seed. */
  public static final String PROPERTY = "weir.seed";

  private static final long CHOSEN = Long.getLong(PROPERTY, System.nanoTime());

  private Seed() {}

  /** The seed of this run; the same for all tests of a process. */
  public static long get() {
    return CHOSEN;
  }
}
