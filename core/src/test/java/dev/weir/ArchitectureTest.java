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
          .resideOutsideOfPackages(
              "dev.weir.micrometer",
              "dev.weir.grpc",
              "dev.weir.reactor",
              "dev.weir.bots",
              "dev.weir.fingerprint")
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
  static final ArchRule CALLS_OF_GRPC_NEED_GUARDS_AND_GRPC =
      classes()
          .that()
          .resideInAPackage("dev.weir.grpc")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.weir",
              "dev.weir.decorate",
              "dev.weir.grpc",
              "java..",
              "org.jspecify..",
              "io.grpc");

  @ArchTest
  static final ArchRule STREAMS_OF_REACTOR_NEED_GUARDS_AND_REACTOR =
      classes()
          .that()
          .resideInAPackage("dev.weir.reactor")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.weir.decorate",
              "dev.weir.reactor",
              "java..",
              "org.jspecify..",
              "org.reactivestreams",
              "reactor.core..");

  @ArchTest
  static final ArchRule WHAT_NEEDS_A_LIBRARY_IS_OPTIONAL =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.weir.micrometer", "dev.weir.grpc", "dev.weir.reactor")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.weir.micrometer", "dev.weir.grpc", "dev.weir.reactor");

  @ArchTest
  static final ArchRule THE_API_KNOWS_NO_IMPLEMENTATION =
      noClasses()
          .that()
          .resideInAPackage("dev.weir")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.weir.algorithm", "dev.weir.decorate", "dev.weir.local", "dev.weir.redis");

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
