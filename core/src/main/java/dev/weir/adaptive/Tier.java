package dev.weir.adaptive;

import java.util.List;
import java.util.Locale;

/** How strict to be with a subject, from the mildest to the strictest. */
public enum Tier {
  /** The limits as they are. */
  NORMAL(0),
  /** Limits somewhat lower. */
  ELEVATED(1),
  /** Limits much lower. */
  SUSPICIOUS(2),
  /** Everything is refused until the block ends. */
  BLOCKED(3);

  /** All tiers by {@link #level}. */
  static final List<Tier> BY_LEVEL = List.of(values());

  private final int level;

  Tier(int level) {
    this.level = level;
  }

  /** 0 for normal to 3 for blocked. */
  public int level() {
    return level;
  }

  /** The tier of a level, 0 to 3. */
  public static Tier of(int level) {
    return BY_LEVEL.get(level);
  }

  /** The tier's name in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
