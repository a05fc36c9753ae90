package dev.weir.server.security;

import java.util.Locale;

/** What the holder of a key may do. */
public enum Role {
  /** Ask for decisions and report outcomes. */
  DECIDE,
  /** Look at policies, figures and subjects. */
  READ,
  /** Everything. */
  ADMIN;

  /** Whether a holder may do what another role is for. */
  public boolean includes(Role other) {
    return this == ADMIN || this == other;
  }

  /** The name in files. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
