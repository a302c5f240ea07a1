package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KafkaCommandTest {
    @Test
    void saysWhatIsWrong() {
        refused("give a subcommand: start, status or stop", "kafka");
        refused(
                "--port must be a whole number from 0 to 65535, got 70000",
                "kafka",
                "start",
                "--port=70000");
        refused(
                "-D log.dirs cannot be set, because the broker is a single node on 127.0.0.1;"
                        + " leave it out",
                "kafka",
                "start",
                "-D",
                "log.dirs=/tmp");
    }

    private static void refused(String sentence, String... arguments) {
        CommandLineRun run = CommandLineRun.of(arguments);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.sentence()).isEqualTo(sentence);
    }
}
