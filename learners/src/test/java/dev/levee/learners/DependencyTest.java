package dev.levee.learners;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
        packages = "dev.levee.learners",
        importOptions = ImportOption.DoNotIncludeTests.class)
class DependencyTest {
    @ArchTest
    static final ArchRule DJL_STAYS_IN_ITS_PACKAGE =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.levee.learners.internal.djl")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("ai.djl..");

    @ArchTest
    static final ArchRule FLINK_ONLY_READS_FILES =
            noClasses()
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage("org.apache.flink..")
                                    .and(resideOutsideOfPackage("org.apache.flink.core.fs")));
}
