package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.config.AllocatorConfig;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.policy.Policies;
import dev.levee.k8s.allocator.store.FileJobStore;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

class AllocateCommandTest {
    @TempDir Path directory;

    private static CommandLineRun allocate(String... options) {
        List<String> arguments = new ArrayList<>(List.of("allocate", "--once"));
        arguments.addAll(List.of(options));
        return CommandLineRun.of(arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--dry-run|--target is needed: the address of a Flink cluster, such as"
                        + " http://127.0.0.1:8081",
                "--target=flink|--target must be an address such as http://127.0.0.1:8081, got"
                        + " flink",
                "--policy=pollux|unknown policy pollux: known are static, autoscaler, afs-p",
                "--measure-every=10min|--decide-every must be at least --measure-every, which is"
                        + " 10min, got 4min",
                "--decide-every=often|--decide-every must be a duration above zero such as 500ms,"
                        + " 10s or 2min, got often",
                "--compute-threshold=85|--compute-threshold must be a number from 0 to 1, got 85",
                "--memory-threshold=-1|--memory-threshold must be a number from 0 to 1, got -1",
                "--kubernetes|--target and --kubernetes exclude each other",
                "--namespace=training|--namespace needs --kubernetes",
                "--all-namespaces|--all-namespaces needs --kubernetes",
                "--slots=4|--slots needs --kubernetes",
                "--slots=some|--slots must be a whole number from 0 to 1000000, got some",
                "--learning-rate-rule=cubic|--learning-rate-rule must be one of linear,"
                        + " square-root, got cubic",
                "--longest-wait=soon|--longest-wait must be a duration",
                "--name=mine|--name needs --kubernetes",
                "--compute-threshold=0.85|--compute-threshold is for --policy era, era-no-workers,"
                        + " era-pause, era-curve, era-nodes, got era-goodput",
                "--memory-threshold=1 --policy=era-no-batch|--memory-threshold is for --policy era,"
                        + " era-no-workers, era-pause, era-curve, era-nodes, got era-no-batch",
                "--longest-wait=1h --policy=era|--longest-wait is for --policy era-goodput,"
                        + " era-goodput-unknown, power-mean, got era",
            })
    void rubbishIsOneSentenceAndExitCode2(String options, String sentence) {
        List<String> given = new ArrayList<>(List.of(options.split(" ")));
        if (!options.startsWith("--target") && !options.equals("--dry-run")) {
            given.add("--target=http://127.0.0.1:1");
        }
        CommandLineRun run = allocate(given.toArray(String[]::new));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.sentence()).startsWith(sentence);
    }

    @Test
    void theHelpNamesThePoliciesThatUseAnOption() {
        Map<String, Predicate<Policy>> uses =
                Map.of(
                        "compute-threshold", Policy::usesThresholds,
                        "longest-wait", Policy::limitsWaits);
        uses.forEach(
                (option, use) -> {
                    String help =
                            AllocatorConfig.SETTINGS.entries().stream()
                                    .filter(entry -> entry.name().equals(option))
                                    .findFirst()
                                    .orElseThrow()
                                    .help();
                    List<String> named = new ArrayList<>(Policies.names());
                    named.retainAll(List.of(help.split("[^a-z-]+")));
                    assertThat(named)
                            .isEqualTo(
                                    Policies.names().stream()
                                            .filter(name -> use.test(Policies.named(name, 240)))
                                            .toList());
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--explain",
                "--longest-wait=0s --rho-bound=2",
                "--policy=era-nodes --compute-threshold=1 --memory-threshold=0.5"
            })
    void nobodyAtTheAddressIsOneSentence(String options) {
        String target = "http://127.0.0.1:1";
        List<String> given = new ArrayList<>(List.of(options.split(" ")));
        given.addAll(List.of("--target=" + target, "--store=" + directory.resolve("store.json")));
        CommandLineRun run = allocate(given.toArray(String[]::new));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err().strip())
                .isEqualTo("--target " + target + " does not answer like a Flink cluster");
    }

    @Test
    void aStoreThatIsNoneIsOneSentence() throws IOException {
        Path store = Files.writeString(directory.resolve("store.json"), "{}");
        for (String dry : List.of("--dry-run=false", "--dry-run")) {
            CommandLineRun run = allocate("--target=http://127.0.0.1:1", "--store=" + store, dry);
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.sentence())
                    .isEqualTo(
                            store
                                    + " is not an allocator's store (there is no version); move it"
                                    + " away to start without saved state");
        }
    }

    @Test
    void twoAllocatorsDoNotShareAStore() throws IOException {
        Path file = directory.resolve("store.json");
        try (FileJobStore taken = FileJobStore.open(file)) {
            CommandLineRun run = allocate("--target=http://127.0.0.1:1", "--store=" + file);
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.sentence()).startsWith("another allocator uses the store " + file);
            assertThat(taken.jobs()).isEmpty();
        }
    }

    @Test
    void aKubernetesClusterThatIsAwayIsOneSentence() throws IOException {
        String server = "http://127.0.0.1:1";
        Path file =
                Files.writeString(
                        directory.resolve("kubeconfig"),
                        """
                        apiVersion: v1
                        kind: Config
                        current-context: test
                        contexts: [{name: test, context: {cluster: test, user: test, namespace: training}}]
                        clusters: [{name: test, cluster: {server: "%s"}}]
                        users: [{name: test, user: {}}]
                        """
                                .formatted(server));
        CommandLineRun run = allocateWith(file);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.sentence())
                .isEqualTo("no API server answers at " + server + "/: it accepts no connections");
        Files.writeString(file, "clusters: [");
        CommandLineRun broken = allocateWith(file);
        assertThat(broken.code()).isEqualTo(1);
        assertThat(broken.sentence()).startsWith("KUBECONFIG cannot be read: ");
    }

    @Test
    void aKubeconfigThatDoesNotExistIsNamed() {
        Path missing = directory.resolve("missing");
        CommandLineRun run = allocateWith(missing);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.sentence())
                .isEqualTo("KUBECONFIG names " + missing + ", which does not exist");
    }

    private static CommandLineRun allocateWith(Path kubeconfig) {
        String before = System.setProperty("kubeconfig", kubeconfig.toString());
        try {
            return allocate("--kubernetes", "--slots=4");
        } finally {
            if (before == null) {
                System.clearProperty("kubeconfig");
            } else {
                System.setProperty("kubeconfig", before);
            }
        }
    }

    @Test
    void kubernetesKeepsItsOwnStore() {
        CommandLineRun run = allocate("--kubernetes", "--store=" + directory.resolve("store"));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.sentence()).startsWith("--store is for --target");
    }
}
