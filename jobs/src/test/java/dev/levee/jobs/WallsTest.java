package dev.levee.jobs;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls around the modules that jobs puts together. */
@AnalyzeClasses(packages = "dev.levee", importOptions = ImportOption.DoNotIncludeTests.class)
class WallsTest {
    @ArchTest
    static final ArchRule USES_OTHERS_BY_THEIR_API =
            noClasses()
                    .that()
                    .resideInAPackage("dev.levee.jobs..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "dev.levee.gar.internal..",
                            "dev.levee.connectors.internal..",
                            "dev.levee.learners.internal..",
                            "dev.levee.operators.internal..",
                            "dev.levee.k8s.internal..",
                            "ai.djl..");

    @ArchTest
    static final ArchRule NOTHING_BELOW_KNOWS_JOBS =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.levee.jobs..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("dev.levee.jobs..");
}
