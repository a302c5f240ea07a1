package dev.levee.jobs.internal.tracking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.levee.jobs.internal.report.FinishedRun;
import dev.levee.learners.Score;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.util.Event;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

class TensorBoardTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.250Z");

    @TempDir Path directory;

    private List<Event> events() throws IOException {
        try (var files = Files.list(directory)) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            assertThat(all.get(0).getFileName().toString())
                    .matches("events\\.out\\.tfevents\\.1767323045\\..+");
            return EventRecords.read(all.get(0));
        }
    }

    /** RFC 3720, B.4: the checksum of the digits one to nine. */
    @Test
    void theChecksumIsThePublishedOne() {
        assertThat(EventRecords.crc32c("123456789".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(0xe3069283);
    }

    /** Readers stop at a record that was written in part. */
    @Test
    void afterAFailureANewFileBegins() throws IOException {
        Instant[] now = {NOW};
        Clock clock =
                new Clock() {
                    @Override
                    public ZoneId getZone() {
                        return ZoneOffset.UTC;
                    }

                    @Override
                    public Clock withZone(ZoneId zone) {
                        return this;
                    }

                    @Override
                    public Instant instant() {
                        return now[0];
                    }
                };
        TensorBoard board = new TensorBoard(List.of(directory), clock);
        board.progress(0, 1, 0.5, Score.ACCURACY, Double.NaN, 12.5);
        board.failed(0); // closes the file, so that a write fails, as on a full disk
        assertThatThrownBy(() -> board.progress(0, 2, 0.5, Score.ACCURACY, Double.NaN, 12.5))
                .isInstanceOf(IOException.class);
        now[0] = NOW.plusSeconds(1);
        board.progress(0, 3, 0.5, Score.ACCURACY, Double.NaN, 12.5);
        try (var files = Files.list(directory)) {
            List<Path> all = files.sorted().toList();
            assertThat(all).hasSize(2);
            assertThat(EventRecords.read(all.get(1)).get(1).getStep()).isEqualTo(3);
        }
    }

    @Test
    void itsOwnReaderReadsWhatIsWritten() throws IOException {
        TensorBoard board = new TensorBoard(List.of(directory), Clock.fixed(NOW, ZoneOffset.UTC));
        board.progress(0, 300, 0.5, Score.ACCURACY, Double.NaN, 12.5);
        assertThat(events()).hasSize(3); // read while it is written
        board.finished(0, FinishedRun.ofTwoRounds());

        List<Event> events = events();
        assertThat(events.get(0).getFileVersion()).isEqualTo("brain.Event:2");
        assertThat(events.get(0).getWallTime()).isEqualTo(1767323045.25);
        assertThat(events.subList(1, events.size()))
                .extracting(
                        each -> each.getSummary().getValue(0).getTag(),
                        Event::getStep,
                        each -> each.getSummary().getValue(0).getSimpleValue())
                .containsExactly(
                        tuple("progress/loss", 300L, 0.5f),
                        tuple("progress/rounds_per_second", 300L, 12.5f),
                        tuple("test/loss", 0L, 2.75f),
                        tuple("test/accuracy", 0L, 0.125f),
                        tuple("train/loss", 1L, 2.5f),
                        tuple("train/workers", 1L, 3f),
                        tuple("train/batch", 1L, 48f),
                        tuple("test/loss", 1L, 1.5f),
                        tuple("test/accuracy", 1L, 0.75f),
                        tuple("train/workers", 2L, 2f),
                        tuple("train/batch", 2L, 32f),
                        tuple("test/accuracy", 2L, 0.5f));
        // Versions are spread between the start, 03:04:05, and the end, 03:05:00.
        assertThat(events.get(5).getWallTime()).isEqualTo(1767323045 + 27.5);
    }
}
