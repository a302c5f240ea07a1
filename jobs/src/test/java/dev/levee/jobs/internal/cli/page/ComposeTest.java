package dev.levee.jobs.internal.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;

import dev.levee.jobs.internal.cli.CommandLineRun;
import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.cluster.JvmFlags;
import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The compose file, as far as it goes without a container engine. */
class ComposeTest {
    private static final Path IMAGE = LeveeHome.find().directory().resolve("k8s/image");

    private final JsonNode compose = read();

    /** Merges of mappings are resolved, as compose does. */
    private static JsonNode read() {
        Path file = LeveeHome.find().directory().resolve("k8s/compose/compose.yaml");
        try {
            Object tree = new Yaml().load(Files.readString(file));
            return new ObjectMapper(new YAMLFactory()).valueToTree(tree);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private JsonNode service(String name) {
        return compose.at("/services/" + name);
    }

    private List<String> command(String service) {
        List<String> words = new ArrayList<>();
        service(service).get("command").forEach(word -> words.add(word.asText()));
        return words;
    }

    @Test
    void theJobUnderstandsItsOptions() throws IOException {
        List<String> words = command("serve");
        int jar = words.indexOf("/opt/flink/usrlib/levee-jobs.jar");
        assertThat(words.subList(0, jar))
                .containsExactly(
                        "flink",
                        "run",
                        "--jobmanager=jobmanager:8081",
                        "--class=dev.levee.jobs.ServeJob");
        List<String> arguments = new ArrayList<>(List.of("serve", "--dry-run"));
        arguments.addAll(words.subList(jar + 1, words.size()));
        CommandLineRun run = CommandLineRun.of(arguments.toArray(String[]::new));
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(Files.readString(IMAGE.resolve("Dockerfile")))
                .contains("/image/usrlib/ /opt/flink/usrlib/");
    }

    @Test
    void asManyWorkersAsTheJobHasUnderstandTheirs() {
        assertThat(service("workers").get("entrypoint").get(0).asText())
                .isEqualTo("/opt/levee/bin/levee");
        String[] words = command("workers").toArray(String[]::new);
        assertThat(LeveeCommand.commandLine().parseArgs(words).errors()).isEmpty();
        assertThat(words).contains("--ids=w0-w6", "--bootstrap-servers=kafka:9092");
        assertThat(command("serve")).contains("--workers=7", "--bootstrap-servers=kafka:9092");
        assertThat(command("keys").get(0)).contains("keys generate --dir=/keys job w0-w6");
    }

    @Test
    void whatServicesWaitForAndMountIsThere() {
        Set<String> services = new TreeSet<>();
        compose.get("services").fieldNames().forEachRemaining(services::add);
        Set<String> volumes = new TreeSet<>();
        compose.get("volumes").fieldNames().forEachRemaining(volumes::add);
        for (JsonNode each : compose.get("services")) {
            each.path("depends_on")
                    .fields()
                    .forEachRemaining(
                            on -> {
                                assertThat(services).contains(on.getKey());
                                if (on.getValue()
                                        .get("condition")
                                        .asText()
                                        .equals("service_healthy")) {
                                    assertThat(service(on.getKey()).has("healthcheck")).isTrue();
                                }
                            });
            each.path("volumes").forEach(at -> assertThat(volumes).contains(before(at.asText())));
        }
    }

    private static String before(String mount) {
        return mount.substring(0, mount.indexOf(':'));
    }

    @Test
    void flinksProcessesHaveTheFlagsOfTheLauncherAndTheFilterOnStoredClasses() {
        for (String name : List.of("jobmanager", "taskmanager")) {
            assertThat(service(name).at("/environment/FLINK_PROPERTIES").asText())
                    .contains("env.java.opts.all: " + String.join(" ", JvmFlags.ofFlink()) + "\n");
        }
    }
}
