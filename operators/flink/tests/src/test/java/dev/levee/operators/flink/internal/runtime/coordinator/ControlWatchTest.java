package dev.levee.operators.flink.internal.runtime.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.operators.rounds.Control;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

class ControlWatchTest {
    private static final String FIRST =
            "{\"timestamp\": 7, \"batchSize\": 64, \"workers\": 4, \"learningRate\": 0.4}";

    @TempDir private Path directory;

    @Test
    void tellsWhatIsThereAndWhatComesAndPassesOverRubbish() throws Exception {
        Path file = directory.resolve("control.json");
        Files.writeString(file, FIRST);
        BlockingQueue<Control> found = new LinkedBlockingQueue<>();
        try (ControlWatch watch = new ControlWatch(file.toUri().toString(), found::add)) {
            assertThat(found.poll(5, TimeUnit.MINUTES)).isEqualTo(new Control(7, 64, 4, 0.4, 0));
            Files.writeString(file, "{\"timestamp\": ");
            Files.writeString(
                    directory.resolve("next"), FIRST.replace("7", "8").replace("}", ",\"x\":1}"));
            Files.move(
                    directory.resolve("next"),
                    file,
                    java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            assertThat(found.poll(5, TimeUnit.MINUTES)).isEqualTo(new Control(8, 64, 4, 0.4, 0));
        }
    }

    @Test
    void aFileThatIsNotThereYetIsNoTrouble() throws Exception {
        Path file = directory.resolve("later.json");
        BlockingQueue<Control> found = new LinkedBlockingQueue<>();
        try (ControlWatch watch = new ControlWatch(file.toUri().toString(), found::add)) {
            assertThat(found).isEmpty();
            Files.writeString(directory.resolve("next"), FIRST);
            Files.move(directory.resolve("next"), file);
            assertThat(found.poll(5, TimeUnit.MINUTES)).isEqualTo(new Control(7, 64, 4, 0.4, 0));
        }
    }

    @Test
    void wholeNumbersMayHaveADecimalPoint() throws Exception {
        byte[] content =
                FIRST.replace("64", "64.0")
                        .replace("}", ", \"fromRound\": 3}")
                        .getBytes(StandardCharsets.UTF_8);
        assertThat(ControlWatch.parse(content)).isEqualTo(new Control(7, 64, 4, 0.4, 3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"timestamp\": 7 | \"timestamp\": 0 | timestamp must be",
                "\"batchSize\": 64 | \"batchSize\": \"64\" | batchSize must be a number",
                "\"batchSize\": 64 | \"batchSize\": 0 | batchSize must be at least 1",
                "\"batchSize\": 64 | \"batchSize\": 4294967297 | batchSize must be a whole number",
                "\"batchSize\": 64 | \"batchSize\": 63.9 | batchSize must be a whole number",
                "\"timestamp\": 7 | \"timestamp\": 1e19 | timestamp must be a whole number",
                "\"workers\": 4 | \"x\": 4 | workers must be a number",
                "\"workers\": 4 | \"workers\": -4294967292 | workers must be a whole number",
                "0.4 | 0.4, \"fromRound\": \"abc\" | fromRound must be a number",
                "\"learningRate\": 0.4 | \"learningRate\": -1 | learningRate must be a positive"
            })
    void whatMakesNoSenseIsSaidInASentence(String right, String wrong, String why) {
        byte[] content = FIRST.replace(right, wrong).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> ControlWatch.parse(content))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
