package dev.levee.jobs.internal.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class NamedSourcesTest {
    private static final String ADDRESS = "s3a://levee/digits";

    @TempDir Path directory;

    private static boolean objects(String... words) {
        return NamedSources.objects(NamedSources.of(words));
    }

    @Test
    void anAddressMayStandInTheFileOfSettings() throws IOException {
        Path config = Files.writeString(directory.resolve("run.yaml"), "dataset: " + ADDRESS);
        assertThat(objects("train", "--config", config.toString())).isTrue();
        assertThat(objects("train", "--config=" + config)).isTrue();
        assertThat(objects("train", "--output", config.toString())).isFalse();
    }

    @Test
    void aRunToldWhatItWasTrainedOn() throws IOException {
        Path run = Files.createDirectory(directory.resolve("run"));
        Files.writeString(run.resolve("summary.json"), "{\"dataset\": \"" + ADDRESS + "\"}");
        assertThat(objects("evaluate", run.toString())).isTrue();
        for (String model : List.of("model.npz", "weights.bin")) {
            assertThat(objects("evaluate", run.resolve(model).toString())).isTrue();
        }
        assertThat(objects("audit", run.toString())).isFalse();
    }

    @Test
    void aRunThatGoesOnRecordedItsOptions() throws IOException {
        Path run = Files.createDirectories(directory.resolve("run/checkpoints")).getParent();
        Files.writeString(run.resolve("run.json"), "{\"arguments\": [\"" + ADDRESS + "\"]}");
        assertThat(objects("train", "--resume", run.toString())).isTrue();
        for (String checkpoints : List.of("checkpoints", "checkpoints/krum/2f0c/chk-7")) {
            assertThat(objects("train", "--resume=" + run.resolve(checkpoints))).isTrue();
        }
        assertThat(objects("train", "--resume=" + run.resolve("1/2/3/4/5"))).isFalse();
        assertThat(objects("train", "--output", run.toString())).isFalse();
    }

    @Test
    void whatCannotBeReadIsLeftToOthers() throws IOException {
        Path rubbish = Files.write(directory.resolve("rubbish"), new byte[] {(byte) 0xff, 0});
        assertThat(NamedSources.of("train", "--config", rubbish.toString(), "\0", "--config"))
                .hasSize(5);
        assertThat(objects("train", "--dataset", ADDRESS)).isTrue();
    }
}
