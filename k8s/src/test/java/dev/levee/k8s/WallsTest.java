package dev.levee.k8s;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of this module. */
@AnalyzeClasses(packages = "dev.levee", importOptions = ImportOption.DoNotIncludeTests.class)
class WallsTest {
    private static final String[] CORE = {
        "dev.levee.k8s",
        "dev.levee.k8s.policy..",
        "dev.levee.k8s.internal..",
        "dev.levee.k8s.simulator.."
    };

    @ArchTest
    static final ArchRule CORE_IS_PLAIN_JAVA =
            classes()
                    .that()
                    .resideInAnyPackage(CORE)
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(
                            "java..",
                            "dev.levee.k8s",
                            "dev.levee.k8s.policy..",
                            "dev.levee.k8s.internal..",
                            "dev.levee.k8s.simulator..");

    @ArchTest
    static final ArchRule DECISIONS_DO_NOT_KNOW_THE_SIMULATOR =
            noClasses()
                    .that()
                    .resideInAnyPackage(
                            "dev.levee.k8s", "dev.levee.k8s.policy..", "dev.levee.k8s.internal..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("dev.levee.k8s.simulator..");
}
