package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StorageServeCommandTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--memory lots | --memory must be a size above 0 such as 512m or 2g, got lots",
                "--memory 0 | --memory must be a size above 0 such as 512m or 2g, got 0",
                "--threads 0 | --threads must be a whole number from 1 to 128, got 0",
                "--port 65535 --doors 2 | --port 65535 leaves too few ports for --doors 2",
                "--endpoint here | --endpoint must be an address such as http://127.0.0.1:9000, got"
                        + " here",
                "--target here | --target must be an address such as http://127.0.0.1:8081, got"
                        + " here",
                "--target http://127.0.0.1:1 --port 0 | --port must be given with --target, "
                        + "because 0 would choose another port after each restart",
                "--target http://127.0.0.1:1 --endpoint http://127.0.0.1:9 | --endpoint is "
                        + "for the embedded cluster; the cluster at --target uses s3.endpoint of its "
                        + "own configuration",
            })
    void saysWhatIsWrong(String options, String sentence) {
        CommandLineRun run = CommandLineRun.of(("storage serve " + options).split(" "));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().strip()).isEqualTo(sentence);
    }

    @Test
    void aClusterThatIsNotThereIsNamed() {
        CommandLineRun run =
                CommandLineRun.of("storage", "serve", "--target", "http://127.0.0.1:1");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.sentence())
                .isEqualTo("--target http://127.0.0.1:1 does not answer like a Flink cluster");
    }
}
