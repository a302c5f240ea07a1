package dev.levee.jobs.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

class ClusterProcessTest {
    /** As in a container whose first process is no init. */
    @Test
    void aProcessWhoseParentNeverAsksForItsEndHasEnded() throws Exception {
        assumeThat(Path.of("/proc/self/stat")).as("Linux").exists();
        Process parent =
                new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; exec sleep 600").start();
        try {
            long pid = Long.parseLong(parent.inputReader().readLine());
            ClusterProcess child = ClusterProcess.of("child", ProcessHandle.of(pid).orElseThrow());
            assertThat(child.alive()).isTrue();
            // It becomes a zombie only if its parent is no shell any more, which would ask.
            Path command = Path.of("/proc", String.valueOf(parent.pid()), "comm");
            while (!Files.readString(command).startsWith("sleep")) {
                Thread.onSpinWait();
            }
            child.stop(Duration.ofMinutes(5));
            assertThat(child.alive()).isFalse();
            assertThat(ProcessHandle.of(pid)).isPresent();
            child.stop(Duration.ofMinutes(5));
            child.kill();
        } finally {
            parent.destroyForcibly().waitFor();
        }
    }

    /** Java derives the start of a process from the wall clock. */
    @Test
    void aProcessIsTheSameAfterTheClockWasSet() {
        assumeThat(Path.of("/proc/self/stat")).as("Linux").exists();
        ClusterProcess self = ClusterProcess.of("self", ProcessHandle.current());
        assertThat(ClusterProcess.read(self.line())).isEqualTo(self);
        String hourLater = String.valueOf(self.started() + 3_600_000);
        String line = self.line().replace(String.valueOf(self.started()), hourLater);
        assertThat(ClusterProcess.read(line).alive()).isTrue();
        assertThat(ClusterProcess.read(self.line() + "1").alive()).isFalse();
    }

    @Test
    void aProcessThatAnOlderVersionStartedIsKnownByItsTime() {
        ClusterProcess self = ClusterProcess.of("self", ProcessHandle.current());
        String line = "self %d %d".formatted(self.pid(), self.started());
        assertThat(ClusterProcess.read(line).alive()).isTrue();
        line = "self %d %d".formatted(self.pid(), self.started() + 3_600_000);
        assertThat(ClusterProcess.read(line).alive()).isFalse();
    }
}
