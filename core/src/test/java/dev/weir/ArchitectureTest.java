package dev.weir;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Holds the direction of dependencies inside core. */
@AnalyzeClasses(packages = "dev.weir", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule CORE_NEEDS_ONLY_JAVA_AND_JSPECIFY =
      classes()
          .that()
          .resideOutsideOfPackages("dev.weir.micrometer", "dev.weir.bots", "dev.weir.fingerprint")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("dev.weir..", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule OPTIONAL_LIBRARIES_STAY_IN_THEIR_ROOMS =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.weir.bots", "dev.weir.fingerprint")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.weir.bots", "dev.weir.fingerprint");

  @ArchTest
  static final ArchRule METRICS_NEED_THE_API_AND_MICROMETER =
      classes()
          .that()
          .resideInAPackage("dev.weir.micrometer")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.weir",
              "dev.weir.micrometer",
              "java..",
              "org.jspecify..",
              "io.micrometer.core.instrument..");

  @ArchTest
  static final ArchRule METRICS_ARE_OPTIONAL =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.weir.micrometer")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.weir.micrometer");

  @ArchTest
  static final ArchRule THE_API_KNOWS_NO_IMPLEMENTATION =
      noClasses()
          .that()
          .resideInAPackage("dev.weir")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.weir.algorithm", "dev.weir.local", "dev.weir.redis");

  @ArchTest
  static final ArchRule THE_ARITHMETIC_NEVER_READS_THE_TIME =
      noClasses()
          .that()
          .resideInAnyPackage("dev.weir.algorithm", "dev.weir.adaptive")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("dev.weir.TimeSource")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");
}
