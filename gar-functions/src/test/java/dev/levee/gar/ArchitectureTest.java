package dev.levee.gar;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
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

/** The walls of this module. */
@AnalyzeClasses(packages = "dev.levee.gar", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** The JDK's bean of threads, of {@code com.sun.management}, counts what they allocate. */
    @ArchTest
    static final ArchRule NOTHING_BUT_JAVA =
            classes()
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(
                            "dev.levee.gar..",
                            "java..",
                            "com.sun.management..",
                            "jdk.incubator.vector..",
                            "jcuda..");

    /** So that everything else loads without JCuda. */
    @ArchTest
    static final ArchRule JCUDA_ONLY_BEHIND_THE_ACCELERATOR =
            noClasses()
                    .that()
                    .haveNameNotMatching("dev\\.levee\\.gar\\.internal\\.gpu\\.JCudaAccelerator.*")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("jcuda..");

    /** So that everything else loads on a JVM without the incubating module. */
    @ArchTest
    static final ArchRule VECTORS_ONLY_BEHIND_THE_PROVIDER =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.levee.gar.internal.vector..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "jdk.incubator.vector..", "dev.levee.gar.internal.vector..");

    @ArchTest
    static final ArchRule KERNELS_KNOW_NO_RULE =
            noClasses()
                    .that()
                    .resideInAPackage("dev.levee.gar.internal..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("dev.levee.gar.rules..", "dev.levee.gar.attacks..");

    /**
     * No circles. The package that users see holds two things: what all else is written in, such as
     * {@link Rule} and {@link Look}, which knows none of the packages below it, and four classes
     * that put those packages to use, each a part of its own here.
     */
    @ArchTest
    static final ArchRule NO_CIRCLES = slices().assignedFrom(new Parts()).should().beFreeOfCycles();

    private static final class Parts implements SliceAssignment {
        private static final Set<String> USERS_OF_WHAT_LIES_BELOW =
                Set.of("Aggregator", "Attacks", "BlockKernels", "Rules");

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            String outermost = javaClass.getName().replaceAll("\\$.*", "");
            String name = outermost.substring(outermost.lastIndexOf('.') + 1);
            String home = javaClass.getPackageName();
            return home.equals("dev.levee.gar") && USERS_OF_WHAT_LIES_BELOW.contains(name)
                    ? SliceIdentifier.of(home, name)
                    : SliceIdentifier.of(home);
        }

        @Override
        public String getDescription() {
            return "packages, and the classes that put them to use";
        }
    }
}
