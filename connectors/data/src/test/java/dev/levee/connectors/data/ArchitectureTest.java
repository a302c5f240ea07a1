package dev.levee.connectors.data;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.levee", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule EVERYTHING_IS_IN_THIS_MODULE =
            classes()
                    .should()
                    .resideInAPackage("dev.levee.connectors.data..")
                    .because("connectors sits below every other module that knows Flink");

    @ArchTest
    static final ArchRule IMPORTS_NO_OTHER_MODULE =
            noClasses()
                    .should()
                    .dependOnClassesThat(
                            JavaClass.Predicates.resideInAPackage("dev.levee..")
                                    .and(
                                            JavaClass.Predicates.resideOutsideOfPackage(
                                                    "dev.levee.connectors.data..")));

    @ArchTest
    static final ArchRule ITS_PACKAGES_FORM_NO_CIRCLE =
            slices().matching("dev.levee.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule KNOWS_NO_LEARNING_ENGINE =
            noClasses().should().dependOnClassesThat().resideInAPackage("ai.djl..");
}
