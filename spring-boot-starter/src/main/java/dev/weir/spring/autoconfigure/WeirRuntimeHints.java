package dev.weir.spring.autoconfigure;

import dev.weir.spring.aop.CallRoot;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image has to keep: the scripts, and what expressions look at. */
final class WeirRuntimeHints implements RuntimeHintsRegistrar {

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
    hints.resources().registerPattern("dev/weir/redis/lua/*.lua");
    hints.reflection().registerType(CallRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS);
  }
}
