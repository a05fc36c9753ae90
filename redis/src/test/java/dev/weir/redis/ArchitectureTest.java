package dev.weir.redis;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Holds what the store on Redis may know. */
@AnalyzeClasses(packages = "dev.weir.redis", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule NEEDS_ONLY_CORE_AND_THE_CLIENTS =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.weir",
              "dev.weir.adaptive",
              "dev.weir.algorithm",
              "dev.weir.local",
              "dev.weir.redis",
              "dev.weir.wait",
              "java..",
              "org.jspecify..",
              "io.lettuce..",
              "io.netty.buffer..",
              "redis.clients.jedis..");

  @ArchTest
  static final ArchRule WORKS_WITHOUT_JEDIS =
      noClasses()
          .that()
          .haveNameNotMatching(".*JedisRateLimiter.*")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("redis.clients..");

  @ArchTest
  static final ArchRule WORKS_WITHOUT_LETTUCE =
      noClasses()
          .that()
          .haveNameNotMatching(".*(LettuceRateLimiter|LettuceScripts|OnceCommand).*")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.lettuce..", "io.netty..");
}
