package dev.levee.jobs.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.flink.rest.Await;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

class JavaProcessesTest {
    @TempDir Path directory;

    @Test
    void theCauseOfAnEndIsNotThatOfAnEarlierProcess() throws IOException {
        JavaProcesses processes = new JavaProcesses(directory);
        processes.create();
        String earlier = "2026-01-01 00:00:00,000 ERROR Main  the port is taken";
        Files.writeString(processes.logs().resolve("server.log"), earlier);

        processes.start("server", List.of("-XX:Nonsense"), ".", List.of("Main"));

        assertThat(Await.until(Duration.ofMinutes(1), () -> processes.died().isPresent())).isTrue();
        assertThat(processes.ended("server"))
                .isEqualTo(
                        "ended while starting: Unrecognized VM option 'Nonsense'; see "
                                + processes.logs());
        assertThat(processes.logs().resolve("server.previous.log")).hasContent(earlier);
    }
}
