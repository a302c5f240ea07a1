package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A {@code levee} whose standard error the launcher has moved aside, as it does. */
class StandardErrorTest {
    @TempDir Path directory;

    @Test
    void whatLeveeSaysGoesToTheDescriptorThatIsNamedInOrderWithItsOutput() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path said = directory.resolve("said");
        Process levee =
                new ProcessBuilder(
                                "bash",
                                "-c",
                                "echo before; exec 3>&2; exec \"$@\" 2>/dev/null",
                                "bash",
                                java,
                                "-XX:TieredStopAtLevel=1",
                                "--add-opens=java.base/java.io=ALL-UNNAMED",
                                "-Dlevee.err=3",
                                "-Dlog4j2.configurationFile=levee-log4j2.xml",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.levee.jobs.Levee",
                                "runs",
                                directory.resolve("none").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        assertThat(levee.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(levee.exitValue()).isEqualTo(2);
        assertThat(Files.readString(said))
                .isEqualTo("before\n" + directory.resolve("none") + " does not exist\n");
    }
}
