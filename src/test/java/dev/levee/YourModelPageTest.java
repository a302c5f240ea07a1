package dev.levee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.jobs.internal.cluster.LauncherCommand;
import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The commands and programs of docs/how-to/your-model.md, as they stand there, in a folder with a
 * CSV. Those in Python run where one has the packages: {@code LEVEE_PYTHON}, else the first of a
 * few.
 */
@Tag("cluster")
@Tag("native")
class YourModelPageTest {
    private static final Pattern BLOCK = Pattern.compile("```(\\w*)\\n(.*?)```", Pattern.DOTALL);
    private static final int WORKERS = 3;
    private static final int PATIENCE_SECONDS = 600;

    @TempDir static Path broker;
    private static LocalKafka kafka;

    @TempDir Path folder;
    private final List<Process> started = new ArrayList<>();
    private List<String> blocks;

    @AfterAll
    static void stopBroker() throws IOException {
        if (kafka != null) {
            kafka.close();
        }
    }

    @BeforeEach
    void makeFolder() throws IOException {
        LeveeHome home = LeveeHome.find();
        String page = Files.readString(home.directory().resolve("docs/how-to/your-model.md"));
        blocks = BLOCK.matcher(page).results().map(each -> each.group(2)).toList();
        Path levee = folder.resolve("levee");
        String command =
                LauncherCommand.of(home, List.of("-XX:TieredStopAtLevel=1"), List.of(), List.of())
                        .stream()
                        .map("'%s'"::formatted)
                        .collect(Collectors.joining(" "));
        Files.writeString(levee, "#!/usr/bin/env bash\nexec " + command + " \"$@\"\n");
        assertThat(levee.toFile().setExecutable(true)).isTrue();
        writeFlowers(folder.resolve("iris.csv"));
    }

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    /** With the address of a broker, which the first call starts. */
    private static String atBroker(String text) throws IOException {
        if (kafka == null) {
            kafka = LocalKafka.start(new LocalKafka.Options(broker, 0, Map.of()));
        }
        return text.replace("127.0.0.1:9092", kafka.bootstrapServers());
    }

    /** Three kinds, fifty of each, about as far apart as the real ones. */
    private static void writeFlowers(Path file) throws IOException {
        Map<String, double[]> kinds =
                Map.of(
                        "setosa", new double[] {5, 3.4, 1.5, 0.3},
                        "versicolor", new double[] {5.9, 2.8, 4.3, 1.3},
                        "virginica", new double[] {6.6, 3, 5.6, 2});
        Random random = new Random(1);
        StringBuilder csv =
                new StringBuilder("sepal_length,sepal_width,petal_length,petal_width,kind\n");
        for (String kind : List.of("setosa", "versicolor", "virginica")) {
            for (int i = 0; i < 50; i++) {
                for (double middle : kinds.get(kind)) {
                    double value = Math.max(0.1, middle + 0.3 * random.nextGaussian());
                    csv.append(String.format(Locale.ROOT, "%.1f,", value));
                }
                csv.append(kind).append('\n');
            }
        }
        Files.writeString(file, csv);
    }

    /** The block that has some text. */
    private String block(String text) {
        return blocks.stream().filter(each -> each.contains(text)).findFirst().orElseThrow();
    }

    private Process start(String name, List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve(name + ".out").toFile());
        builder.environment()
                .put("PYTHONPATH", LeveeHome.find().directory().resolve("python/src").toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private String said(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".out"));
    }

    private String end(String name, Process process) throws Exception {
        boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(ended && process.exitValue() == 0).as("%s: %s", name, said(name)).isTrue();
        return said(name);
    }

    private String shell(String name, String commands) throws Exception {
        return end(name, start(name, List.of("bash", "-ec", commands)));
    }

    /** An interpreter that has some modules. */
    private Optional<String> python(String modules) throws Exception {
        String chosen = System.getenv("LEVEE_PYTHON");
        for (String each :
                chosen != null ? List.of(chosen) : List.of("python3", "/usr/bin/python3")) {
            try {
                Process asked = start("modules", List.of(each, "-c", "import " + modules));
                if (asked.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && asked.exitValue() == 0) {
                    return Optional.of(each);
                }
            } catch (IOException e) {
                continue;
            }
        }
        return Optional.empty();
    }

    private Process program(String python, String name, String program) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".py"), program);
        return start(name, List.of(python, file.toString()));
    }

    private JsonNode summary(String output) throws IOException {
        return CommandRun.summary(folder.resolve(output));
    }

    @Test
    void theDataAreLookedAt() throws Exception {
        assertThat(shell("datasets", block("./levee datasets")))
                .contains("of shape 4, 3 classes", "versicolor");
    }

    @Test
    void aModuleGoesOutIsTrainedAndComesBack() throws Exception {
        Optional<String> python = python("torch, numpy");
        assumeThat(python).as("a python3 with torch and numpy").isPresent();
        String export = block("torch.jit.script");
        end("export", program(python.get(), "export", export));
        assertThat(shell("train", block("--output run"))).contains("Report: ", "test samples");
        assertThat(summary("run").path("finalAccuracy").asDouble()).isGreaterThan(0.8);
        end("load", program(python.get(), "load", export + block("load_into")));
    }

    @Test
    void aModuleIsTrainedInPython() throws Exception {
        Optional<String> python = python("torch, numpy, confluent_kafka, cryptography");
        assumeThat(python).as("a python3 with torch and confluent_kafka").isPresent();
        String export = block("torch.jit.script");
        end("export", program(python.get(), "export", export));
        String served = block("--output served").replaceFirst("./levee kafka start && ", "");
        String data =
                """

                generator = torch.Generator().manual_seed(1)
                targets = torch.arange(3).repeat(50)
                dataset = torch.randn(150, 4, generator=generator) + 2 * targets[:, None], targets
                """;
        runServed(
                "served",
                served,
                python.get(),
                export + data + block("# in each worker, w0 to w2\n\n"));
        assertThat(summary("served").path("roundsDone").asInt()).isEqualTo(60);
    }

    @Test
    void aNetworkThatTheJobDoesNotKnowIsTrained() throws Exception {
        Optional<String> python = python("numpy, confluent_kafka, cryptography");
        assumeThat(python).as("a python3 with numpy and confluent_kafka").isPresent();
        end("begin", program(python.get(), "begin", block("np.savez")));
        shell("keys", "./levee keys generate job w0-w2");
        runServed("numbers", block("--initial start.npz"), python.get(), block("def gradient"));
        assertThat(summary("numbers").path("finalAccuracy").asDouble()).isGreaterThan(0.8);
        assertThat(said("numbers")).contains("as reported by w0");
        Process evaluated = start("evaluate", List.of("./levee", "evaluate", "numbers"));
        assertThat(evaluated.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(evaluated.exitValue()).isEqualTo(2);
        assertThat(said("evaluate")).contains("only its workers know what the model computes");
    }

    /** Serves a run to workers that are all this program, each under its own name. */
    private void runServed(String name, String commands, String python, String program)
            throws Exception {
        Process server = start(name, List.of("bash", "-ec", atBroker(commands)));
        List<Process> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            String own =
                    atBroker(program)
                            .replace("Worker(\"w0\"", "Worker(\"w" + i + "\"")
                            .replace("w0.state", "w" + i + ".state");
            Path key = folder.resolve("keys/w" + i + ".key");
            RunningJob.until(
                    "keys",
                    () -> {
                        assertThat(server.isAlive()).as(said(name)).isTrue();
                        return Files.exists(folder.resolve("keys/job.pub")) && Files.exists(key);
                    });
            workers.add(program(python, name + "-w" + i, own));
        }
        for (int i = 0; i < WORKERS; i++) {
            end(name + "-w" + i, workers.get(i));
        }
        end(name, server);
    }
}
