package dev.levee.jobs;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import java.util.List;
import java.util.stream.Stream;

/** The walls between modules, of all of them: this one sees every other. */
@AnalyzeClasses(packages = "dev.levee", importOptions = WallsTest.MainClasses.class)
class WallsTest {
    /** Leaves out tests, also those of other modules, which may come as jars. */
    static final class MainClasses implements ImportOption {
        private final ImportOption main = new DoNotIncludeTests();

        @Override
        public boolean includes(Location location) {
            return main.includes(location) && !location.contains("-tests.jar");
        }
    }

    private static final String ROOT = "dev.levee.";

    /** A module, its package, and the packages of the modules that it may import. */
    private record Room(String home, String... below) {
        /** True if a class of another module depends on an internal one of this module. */
        boolean intrudes(Dependency dependency) {
            return lies(dependency.getTargetClass(), home + ".internal")
                    && !lies(dependency.getOriginClass(), home);
        }

        private static boolean lies(JavaClass type, String home) {
            return (type.getPackageName() + ".").startsWith(ROOT + home + ".");
        }
    }

    private static final List<Room> ROOMS =
            List.of(
                    new Room("gar"),
                    new Room("connectors.data"),
                    new Room("learners", "connectors.data"),
                    new Room("operators.placement"),
                    new Room("operators.tasks"),
                    new Room(
                            "operators.rounds",
                            "gar",
                            "connectors.data",
                            "learners",
                            "operators.placement"),
                    new Room(
                            "connectors.kafka",
                            "gar",
                            "connectors.data",
                            "learners",
                            "operators.rounds"),
                    new Room(
                            "operators.flink", "gar", "connectors", "learners", "operators.rounds"),
                    new Room(
                            "federated",
                            "gar",
                            "connectors.data",
                            "connectors.kafka",
                            "learners",
                            "operators.rounds"),
                    new Room(
                            "featureextraction",
                            "connectors.data",
                            "learners",
                            "operators.placement"),
                    new Room("estimation", "connectors.data", "operators.tasks"),
                    new Room("k8s.allocator"),
                    new Room("k8s.simulator", "k8s.allocator"),
                    new Room("k8s.flink", "k8s.allocator"),
                    new Room("k8s.kubernetes", "k8s.allocator", "k8s.flink"),
                    new Room(
                            "jobs",
                            "gar",
                            "connectors",
                            "learners",
                            "operators",
                            "federated",
                            "featureextraction",
                            "estimation",
                            "k8s"));

    @ArchTest
    static void modulesImportOnlyWhatLiesBelow(JavaClasses all) {
        for (Room room : ROOMS) {
            String[] allowed =
                    Stream.concat(Stream.of(room.home()), Stream.of(room.below()))
                            .map(each -> ROOT + each + "..")
                            .toArray(String[]::new);
            DescribedPredicate<JavaClass> others =
                    resideInAPackage("dev.levee..")
                            .and(DescribedPredicate.not(resideInAnyPackage(allowed)));
            noClasses()
                    .that()
                    .resideInAPackage(ROOT + room.home() + "..")
                    .should()
                    .dependOnClassesThat(others)
                    .check(all);
        }
    }

    /** One pass over all dependencies, of which there are many. */
    @ArchTest
    static void internalsAreTheirModulesOwn(JavaClasses all) {
        assertThat(all.stream().flatMap(each -> each.getDirectDependenciesFromSelf().stream()))
                .filteredOn(each -> ROOMS.stream().anyMatch(room -> room.intrudes(each)))
                .isEmpty();
    }

    /**
     * Packages form no circles. Left out are the two modules whose public classes find rules and
     * networks by name in packages that use those classes.
     */
    @ArchTest
    static final ArchRule NO_CIRCLES_OF_PACKAGES =
            slices().matching(
                            "dev.levee.(connectors|gar|operators|federated|featureextraction|estimation|k8s|jobs).(**)")
                    .should()
                    .beFreeOfCycles();

    /** Slices have no name for the package at the top of a module. */
    @ArchTest
    static final ArchRule NOBODY_USES_ENTRY_POINTS =
            noClasses()
                    .that()
                    .resideInAPackage("dev.levee.jobs.*..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("dev.levee.jobs");

    @ArchTest
    static final ArchRule THE_PROTOCOL_WHO_SPEAKS_IT_AND_PLACEMENT_KNOW_NO_ENGINE =
            noClasses()
                    .that()
                    .resideInAnyPackage(
                            "dev.levee.operators.rounds..",
                            "dev.levee.operators.placement..",
                            "dev.levee.connectors.kafka..",
                            "dev.levee.federated..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("org.apache.flink..", "ai.djl..");

    /** What the package-infos of the round's rooms say. */
    @ArchTest
    static final ArchRule A_PART_OF_A_ROUND_KNOWS_ONLY_WHAT_IS_BELOW_IT =
            layeredArchitecture()
                    .consideringOnlyDependenciesInAnyPackage("dev.levee.operators.rounds..")
                    .layer("records")
                    .definedBy(
                            "dev.levee.operators.rounds",
                            "dev.levee.operators.rounds.fault",
                            "dev.levee.operators.rounds.report",
                            "dev.levee.operators.rounds.vector")
                    .layer("steps")
                    .definedBy(
                            "dev.levee.operators.rounds.optimizer",
                            "dev.levee.operators.rounds.schedule")
                    .layer("topology")
                    .definedBy("dev.levee.operators.rounds.topology")
                    .layer("training")
                    .definedBy("dev.levee.operators.rounds.training")
                    .layer("coding")
                    .definedBy("dev.levee.operators.rounds.coding")
                    .layer("transfer")
                    .definedBy("dev.levee.operators.rounds.transfer")
                    .layer("pipeline")
                    .definedBy("dev.levee.operators.rounds.pipeline")
                    .layer("plan")
                    .definedBy("dev.levee.operators.rounds.plan")
                    .layer("adversary")
                    .definedBy("dev.levee.operators.rounds.adversary")
                    .layer("participant")
                    .definedBy("dev.levee.operators.rounds.participant")
                    .layer("scoring")
                    .definedBy("dev.levee.operators.rounds.scoring")
                    .layer("shard")
                    .definedBy("dev.levee.operators.rounds.shard")
                    .layer("coordinator")
                    .definedBy("dev.levee.operators.rounds.coordinator")
                    .layer("codec")
                    .definedBy("dev.levee.operators.rounds.codec")
                    .layer("sequential")
                    .definedBy("dev.levee.operators.rounds.sequential")
                    .layer("secure sums")
                    .definedBy("dev.levee.operators.rounds.securesum..")
                    .whereLayer("records")
                    .mayOnlyAccessLayers("secure sums")
                    .whereLayer("steps")
                    .mayNotAccessAnyLayer()
                    .whereLayer("topology")
                    .mayOnlyAccessLayers("records")
                    .whereLayer("training")
                    .mayOnlyAccessLayers("records", "steps", "topology", "secure sums")
                    .whereLayer("coding")
                    .mayOnlyAccessLayers("records", "topology", "training", "plan")
                    .whereLayer("transfer")
                    .mayOnlyAccessLayers("records", "training")
                    .whereLayer("pipeline")
                    .mayOnlyAccessLayers("records", "training", "participant")
                    .whereLayer("plan")
                    .mayOnlyAccessLayers("records", "steps", "topology", "training")
                    .whereLayer("adversary")
                    .mayOnlyAccessLayers("records", "topology", "training")
                    .whereLayer("participant")
                    .mayOnlyAccessLayers(
                            "records", "topology", "training", "adversary", "secure sums")
                    .whereLayer("scoring")
                    .mayOnlyAccessLayers("records", "training", "participant")
                    .whereLayer("shard")
                    .mayOnlyAccessLayers(
                            "records",
                            "steps",
                            "topology",
                            "training",
                            "plan",
                            "transfer",
                            "secure sums")
                    .whereLayer("coordinator")
                    .mayOnlyAccessLayers(
                            "records",
                            "topology",
                            "training",
                            "plan",
                            "transfer",
                            "shard",
                            "secure sums")
                    .whereLayer("codec")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("sequential")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("secure sums")
                    .mayNotAccessAnyLayer();

    @ArchTest
    static final ArchRule WORKERS_OVER_KAFKA_AND_THE_JOBS_SIDE_SHARE_ONLY_THE_READING_OF_VERSIONS =
            layeredArchitecture()
                    .consideringOnlyDependenciesInAnyPackage("dev.levee.connectors.kafka..")
                    .layer("job")
                    .definedBy("dev.levee.connectors.kafka.job")
                    .layer("worker")
                    .definedBy("dev.levee.connectors.kafka.worker")
                    .whereLayer("job")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("worker")
                    .mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule OF_FEATURE_EXTRACTION_ONLY_THE_JOB_KNOWS_THE_ENGINE =
            noClasses()
                    .that()
                    .resideInAPackage("dev.levee.featureextraction..")
                    .and()
                    .resideOutsideOfPackage("dev.levee.featureextraction.flink..")
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage("org.apache.flink..")
                                    .and(
                                            DescribedPredicate.not(
                                                    resideInAPackage("org.apache.flink.core.fs"))));

    @ArchTest
    static final ArchRule ESTIMATION_KNOWS_NO_ENGINE_AND_NO_DATA_FORMAT_BUT_IN_ITS_JOB =
            noClasses()
                    .that()
                    .resideInAPackage("dev.levee.estimation..")
                    .and()
                    .resideOutsideOfPackage("dev.levee.estimation.flink..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("org.apache.flink..", "dev.levee.connectors..");

    @ArchTest
    static final ArchRule OF_FEDERATED_ROUNDS_ONLY_THE_GATEWAY_KNOWS_TOPICS =
            noClasses()
                    .that()
                    .resideInAPackage("dev.levee.federated..")
                    .and()
                    .resideOutsideOfPackage("dev.levee.federated.gateway..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "dev.levee.connectors.kafka..", "dev.levee.federated.gateway..");

    @ArchTest
    static final ArchRule THE_GATEWAY_KNOWS_NO_ALGORITHM =
            noClasses()
                    .that()
                    .resideInAPackage("dev.levee.federated.gateway..")
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage("dev.levee.federated..")
                                    .and(
                                            DescribedPredicate.not(
                                                    resideInAPackage(
                                                            "dev.levee.federated.gateway.."))));

    @ArchTest
    static final ArchRule ONLY_THE_GATEWAYS_HTTP_KNOWS_NETTY =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.levee.federated.gateway.http..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.netty..");

    @ArchTest
    static final ArchRule ONLY_THE_GATEWAYS_GRPC_KNOWS_GRPC =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(
                            "dev.levee.federated.gateway.grpc..",
                            "dev.levee.federated.gateway.device..",
                            "dev.levee.federated.gateway.internal.proto..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("io.grpc..", "com.google.common..");

    @ArchTest
    static final ArchRule WAYS_INTO_THE_GATEWAY_KNOW_NOTHING_OF_EACH_OTHER =
            slices().matching("dev.levee.federated.gateway.(http|grpc|device)..")
                    .should()
                    .notDependOnEachOther();

    @ArchTest
    static final ArchRule ONLY_ITS_LEARNERS_KNOW_TRIBUO =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.levee.estimation.internal..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("org.tribuo..", "ml.dmlc..");

    @ArchTest
    static final ArchRule ONLY_GRAPHS_OF_FILES_KNOW_ONNX =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.levee.jobs.internal.placement..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("ai.onnx..");

    @ArchTest
    static final ArchRule ONLY_LEARNERS_KNOW_A_NETWORK_LIBRARY =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.levee.learners..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("ai.djl..");

    @ArchTest
    static final ArchRule DECISIONS_OF_THE_ALLOCATOR_ARE_PLAIN_JAVA =
            classes()
                    .that()
                    .resideInAnyPackage(
                            "dev.levee.k8s.allocator",
                            "dev.levee.k8s.allocator.policy..",
                            "dev.levee.k8s.allocator.internal..",
                            "dev.levee.k8s.simulator..")
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage("java..", "dev.levee.k8s..");
}
