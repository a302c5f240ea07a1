package dev.levee.operators;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of this module. */
@AnalyzeClasses(packages = "dev.levee", importOptions = ImportOption.DoNotIncludeTests.class)
class WallsTest {
    @ArchTest
    static final ArchRule PROTOCOL_KNOWS_NO_ENGINE =
            noClasses()
                    .that()
                    .resideInAnyPackage(
                            "dev.levee.operators.rounds..", "dev.levee.operators.optimizer..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("org.apache.flink..", "ai.djl..");

    @ArchTest
    static final ArchRule NO_NETWORK_LIBRARY =
            noClasses()
                    .that()
                    .resideInAPackage("dev.levee.operators..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("ai.djl..");

    @ArchTest
    static final ArchRule OTHERS_INTERNALS_ARE_THEIRS =
            noClasses()
                    .that()
                    .resideInAPackage("dev.levee.operators..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "dev.levee.gar.internal..",
                            "dev.levee.connectors.internal..",
                            "dev.levee.learners.internal..");

    @ArchTest
    static final ArchRule NOTHING_BELOW_KNOWS_OPERATORS =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.levee.operators..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("dev.levee.operators..");
}
