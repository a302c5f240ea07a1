package dev.levee.gar;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of this module. */
@AnalyzeClasses(packages = "dev.levee.gar", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule NOTHING_BUT_JAVA =
            classes()
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(
                            "dev.levee.gar..", "java..", "jdk.incubator.vector..", "jcuda..");

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
}
