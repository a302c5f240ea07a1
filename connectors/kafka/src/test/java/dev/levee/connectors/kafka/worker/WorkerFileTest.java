package dev.levee.connectors.kafka.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.operators.rounds.participant.WorkerState;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

class WorkerFileTest {
    private static final Answer ANSWER =
            new Answer(7, 4, 0.5, List.of(new byte[] {1, 2, 3}, new byte[] {4}));

    @TempDir Path directory;

    private Path path() {
        return directory.resolve("states/w3");
    }

    @Test
    void readsWhatWasWrittenLast() {
        WorkerFile file = new WorkerFile(path(), 3);
        assertThat(file.read()).isEmpty();
        file.write(ANSWER, new WorkerState(4, 50, Map.of()));
        file.write(ANSWER, new WorkerState(4, 50, Map.of("momentum", new float[] {1, Float.NaN})));

        WorkerFile.Saved saved = new WorkerFile(path(), 3).read().orElseThrow();

        assertThat(saved.answer()).usingRecursiveComparison().isEqualTo(ANSWER);
        assertThat(saved.state().answered()).isEqualTo(4);
        assertThat(saved.state().consumed()).isEqualTo(50);
        assertThat(saved.state().vectors()).containsOnlyKeys("momentum");
        assertThat(saved.state().vectors().get("momentum")).containsExactly(1, Float.NaN);
        file.write(ANSWER, new WorkerState(4, 50, Map.of()));
        assertThat(file.read().orElseThrow().state().vectors()).isEmpty();
        assertThat(path().getParent().toFile().list()).containsExactly("w3");
    }

    @Test
    void refusesAnotherWorkersFile() {
        new WorkerFile(path(), 3).write(ANSWER, new WorkerState(4, 50, Map.of()));
        assertThatThrownBy(() -> new WorkerFile(path(), 4).read())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--state " + path() + " belongs to worker w3, not to --id w4");
    }

    @Test
    void refusesWhateverIsNotWhole() throws IOException {
        WorkerFile file = new WorkerFile(path(), 3);
        file.write(ANSWER, new WorkerState(4, 50, Map.of("momentum", new float[] {1})));
        byte[] whole = Files.readAllBytes(path());
        for (int length = 0; length < whole.length; length++) {
            Files.write(path(), Arrays.copyOf(whole, length));
            assertRefused(file);
        }
        for (int at = 0; at < whole.length; at++) {
            byte[] altered = whole.clone();
            altered[at] ^= 4;
            Files.write(path(), altered);
            assertRefused(file);
        }
    }

    private void assertRefused(WorkerFile file) {
        assertThatThrownBy(file::read)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--state " + path() + " is not the state of a worker");
    }
}
