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

        assertThat(Await.until(Duration.ofMinutes(5), () -> processes.died().isPresent())).isTrue();
        assertThat(processes.ended("server"))
                .isEqualTo(
                        "ended while starting: Unrecognized VM option 'Nonsense'; see "
                                + processes.logs());
        assertThat(processes.logs().resolve("server.previous.log")).hasContent(earlier);
    }

    /** As Flink logs it when the remoting of a JobManager does not start in time. */
    @Test
    void classesThatAnEndingProcessLacksAreNotItsCause() throws IOException {
        JavaProcesses processes = new JavaProcesses(directory);
        processes.create();
        Files.writeString(
                processes.logs().resolve("server.log"),
                """
                2026-01-01 00:00:00,000 ERROR ConnectionState  Authentication failed
                2026-01-01 00:00:00,000 ERROR Handler  FATAL: Thread 'dispatcher-2' stops the process
                java.lang.NoClassDefFoundError: actor/FaultHandling
                \tat actor.Actor.run(Actor.java:1)
                Caused by: java.lang.ClassNotFoundException: actor.FaultHandling
                2026-01-01 00:00:00,001 ERROR Entrypoint  Could not start cluster entrypoint.
                java.lang.IllegalStateException: Failed to initialize the entrypoint
                Caused by: java.lang.Exception: Could not create actor system
                Caused by: java.util.concurrent.TimeoutException: timed out after 10 s
                2026-01-01 00:00:00,002 WARN  Shutdown  Could not close
                java.lang.NoClassDefFoundError: actor/Closing
                Caused by: java.lang.ClassNotFoundException: actor.Closing
                """);
        assertThat(processes.ended("server"))
                .isEqualTo(
                        "ended while starting: java.util.concurrent.TimeoutException: timed out"
                                + " after 10 s; see "
                                + processes.logs());
    }
}
