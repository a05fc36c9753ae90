package dev.weir.adaptive;

import org.jspecify.annotations.Nullable;

/** Whether a client is a bot that is what it says it is. Asked for each call: never waits. */
@FunctionalInterface
public interface BotCheck {

  /** Believes nobody. */
  BotCheck NONE = (address, agent) -> false;

  /**
   * Whether a client is verified to be a bot, by its address and never by what it calls itself.
   *
   * @param address where the call comes from; {@code null} if unknown
   * @param agent what the client calls itself; {@code null} if it does not
   */
  boolean isVerified(@Nullable String address, @Nullable String agent);
}
