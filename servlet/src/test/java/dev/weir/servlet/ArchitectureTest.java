package dev.weir.servlet;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Holds what the filter may know. */
@AnalyzeClasses(packages = "dev.weir.servlet", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule NEEDS_ONLY_CORE_AND_SERVLETS =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.weir",
              "dev.weir.adaptive",
              "dev.weir.http",
              "dev.weir.local",
              "dev.weir.servlet",
              "java..",
              "org.jspecify..",
              "jakarta.servlet..");
}
