package dev.weir.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Holds the direction of dependencies inside the service. */
@AnalyzeClasses(packages = "dev.weir.server", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule POLICIES_KNOW_NO_HTTP =
      noClasses()
          .that()
          .resideInAPackage("dev.weir.server.policy..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.weir.server.api..", "com.linecorp.armeria..", "com.fasterxml..");

  @ArchTest
  static final ArchRule ONLY_HTTP_KNOWS_HTTP =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.weir.server.config..",
              "dev.weir.server.decide..",
              "dev.weir.server.draft..",
              "dev.weir.server.live..",
              "dev.weir.server.security..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.weir.server.api..", "com.linecorp.armeria..");

  @ArchTest
  static final ArchRule HTTP_KNOWS_NO_STORE =
      noClasses()
          .that()
          .resideInAPackage("dev.weir.server.api..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.weir.redis..", "dev.weir.local..", "io.lettuce..");
}
