package dev.levee.learners;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

import java.util.Set;

@AnalyzeClasses(
        packages = "dev.levee.learners",
        importOptions = ImportOption.DoNotIncludeTests.class)
class DependencyTest {
    @ArchTest
    static final ArchRule DJL_STAYS_IN_ITS_PACKAGE =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.levee.learners.internal.djl..")
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

    /**
     * No circles: the package that users see is what all else is written in, and the classes that
     * put the packages below to use, each a part of its own here.
     */
    @ArchTest
    static final ArchRule NO_CIRCLES = slices().assignedFrom(new Parts()).should().beFreeOfCycles();

    private static final class Parts implements SliceAssignment {
        private static final Set<String> USERS_OF_WHAT_LIES_BELOW =
                Set.of(
                        "FeatureClassifier",
                        "FeatureFile",
                        "Models",
                        "ModelFile",
                        "LayerList",
                        "LayeredNetwork",
                        "NetworkStages",
                        "Section",
                        "StagedEvaluation",
                        "PretrainedWeights");

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            String outermost = javaClass.getName().replaceAll("\\$.*", "");
            String name = outermost.substring(outermost.lastIndexOf('.') + 1);
            String home = javaClass.getPackageName();
            return USERS_OF_WHAT_LIES_BELOW.contains(name)
                    ? SliceIdentifier.of(home, name)
                    : SliceIdentifier.of(home);
        }

        @Override
        public String getDescription() {
            return "packages, and the classes that put them to use";
        }
    }
}
