/**
 * The limiter that keeps its state in Redis, decided by one script call on Redis' own clock,
 * through a Lettuce or Jedis client that the application already has.
 */
@NullMarked
package dev.weir.redis;

import org.jspecify.annotations.NullMarked;
