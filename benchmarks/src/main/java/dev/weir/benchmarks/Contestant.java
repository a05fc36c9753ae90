package dev.weir.benchmarks;

/** A limiter under load; none of its limits is ever reached. Safe for use by several threads. */
interface Contestant extends AutoCloseable {

  String name();

  /** Decides a call for one of so many keys. */
  void decide(int key);

  @Override
  void close();
}
