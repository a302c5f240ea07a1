package dev.levee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.jobs.internal.cluster.Home;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.Slices;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The package in {@code python/}: its own tests, and its command with a real broker. {@code
 * LEVEE_PYTHON} names another interpreter than {@code python3}.
 */
class PythonPackageTest {
    private static final long RUN = 1_700_000_000_000_000L;
    private static final Path PACKAGE = Home.find().directory().resolve("python");

    @TempDir Path temporary;

    private ProcessBuilder python(Path output, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(System.getenv().getOrDefault("LEVEE_PYTHON", "python3"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(PACKAGE.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().put("PYTHONPATH", PACKAGE.resolve("src").toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        return builder;
    }

    private static int end(Process process) throws InterruptedException {
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("ends in time").isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private void assumeModules(String modules) throws Exception {
        Path output = temporary.resolve("modules");
        boolean there;
        try {
            there = end(python(output, "-c", "import " + modules).start()) == 0;
        } catch (IOException e) {
            there = false;
        }
        assumeThat(there).as("python3 with " + modules).isTrue();
    }

    @Test
    void itsOwnTestsPass() throws Exception {
        assumeModules("numpy, cryptography");
        Path output = temporary.resolve("tests");
        int code =
                end(python(output, "-m", "unittest", "discover", "-t", ".", "-s", "tests").start());
        assertThat(code).as(Files.readString(output)).isZero();
        assertThat(Files.readString(output)).containsPattern("Ran [1-9][0-9]+ tests");
    }

    private static Settings settings(boolean stop) {
        return new Settings(Cohort.first(4), 0, 4, 5, 0.5, stop, false, 0);
    }

    @Test
    @Tag("cluster")
    void aCommandAnswersAndGoesOnAfterItWasKilled() throws Exception {
        assumeModules("numpy, cryptography, confluent_kafka");
        KeyDirectory keys = new KeyDirectory(temporary.resolve("keys"));
        keys.generate(KeyDirectory.JOB);
        keys.generate("w3");
        Path data = temporary.resolve("rows.csv");
        Files.writeString(data, "1,2,0\n-1,0.5,1\n3,-4,1\n");
        Topics topics = new Topics("python");
        Slices slices = Slices.of(Models.open("logistic", new int[] {2}, 2).layout());
        Path output = temporary.resolve("said");
        try (LocalKafka broker =
                LocalKafka.start(new LocalKafka.Options(temporary.resolve("kafka"), 0, Map.of()))) {
            ProcessBuilder worker =
                    python(
                            output,
                            "-m",
                            "levee.command",
                            "--id=w3",
                            "--bootstrap-servers=" + broker.bootstrapServers(),
                            "--run=python",
                            "--keys=" + keys.path(),
                            "--data=" + data,
                            "--state=" + temporary.resolve("state"),
                            "--timeout=60");
            Process process = worker.start();
            try (OutsideJob job =
                    new OutsideJob(broker, topics, slices, keys.signing(KeyDirectory.JOB))) {
                job.publish(RUN, 0, new float[6], settings(false));
                // All logits are equal: every sample moves its own class's bias by minus a half.
                float[] first = job.answer(RUN, 0, 3, 1);
                assertThat(first[4] + first[5]).isZero();
                process.destroyForcibly().waitFor();
                process = worker.start();
                assertThat(job.answer(RUN, 0, 3, 2)).isEqualTo(first);
                for (int block = 0; block < slices.count(); block++) {
                    assertThat(job.frames(RUN, 0, 3, block).get(1).checksum())
                            .isEqualTo(job.frames(RUN, 0, 3, block).get(0).checksum());
                }
                job.publish(RUN, 1, new float[] {1, 2, 3, 4, 5, 6}, settings(false));
                assertThat(job.answer(RUN, 1, 3, 1)).isNotEqualTo(first);
                job.publish(RUN, 2, new float[6], settings(true));
                assertThat(end(process)).as(Files.readString(output)).isZero();
                assertThat(Files.readString(output)).contains("The run is over with version 2.");
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
