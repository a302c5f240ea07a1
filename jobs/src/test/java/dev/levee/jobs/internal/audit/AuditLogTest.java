package dev.levee.jobs.internal.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.FlatVector;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.report.RoundTrace;
import dev.levee.operators.rounds.training.RoundReportBuilder;
import dev.levee.operators.rounds.training.ServerResult;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class AuditLogTest {
    private static final AuditKey KEY = AuditKey.generate();

    @TempDir Path directory;
    private Path file;

    @BeforeEach
    void setFile() {
        file = directory.resolve(AuditLog.FILE);
    }

    private AuditLog open() throws IOException {
        return AuditLog.open(file, null, KEY, Map.of("run", "r"), 1);
    }

    private static void rounds(AuditLog log, int from, int to) throws IOException {
        for (int round = from; round < to; round++) {
            int[] ids = {0, 1, 2};
            log.closed(
                    0,
                    new RoundReportBuilder(round)
                            .decidedAt(5)
                            .batch(8)
                            .rows(ids)
                            .selected(ids)
                            .build(),
                    new RoundTrace(
                            ids,
                            new double[] {1, Double.NaN, 2},
                            new double[] {1, 1, 3},
                            new byte[] {(byte) round}));
        }
    }

    private static void end(AuditLog log) throws IOException {
        ServerResult result =
                new ServerResult(
                        6,
                        0,
                        1,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        null,
                        List.of(),
                        null,
                        List.of(),
                        FlatVector.of(new float[] {1}));
        log.ended(List.of(result));
    }

    /** What an algorithm carries behind its model is not among a run's results. */
    @Test
    void theEndHasTheHashOfTheModelAlone() throws IOException {
        ServerResult carrying =
                new ServerResult(
                        0,
                        0,
                        1,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        null,
                        List.of(),
                        null,
                        List.of(),
                        FlatVector.of(new float[] {1, 7}));
        try (AuditLog log = open()) {
            log.resumed(new long[] {0});
            log.ended(List.of(carrying));
        }
        assertThat(AuditCheck.of(Files.readString(file)).parameters())
                .containsExactly(Summary.sha256(FlatVector.of(new float[] {1})));
    }

    /** Six rounds: entries 0 to 7, lines 1 to 8. */
    private List<String> whole() throws IOException {
        try (AuditLog log = open()) {
            log.resumed(new long[] {0});
            rounds(log, 0, 6);
            end(log);
        }
        return new ArrayList<>(Files.readAllLines(file));
    }

    private static List<String> problems(List<String> lines) {
        return AuditCheck.of(String.join("\n", lines) + "\n").problems();
    }

    @Test
    void aLogThatNobodyTouchedIsIntact() throws IOException {
        List<String> lines = whole();
        AuditCheck check = AuditCheck.of(Files.readString(file));
        assertThat(check.problems()).isEmpty();
        assertThat(check.notes()).isEmpty();
        assertThat(check.lines()).isEqualTo(8);
        assertThat(check.rounds()).hasSize(6);
        assertThat(check.rounds().get(2).losses()).containsExactly(1, Double.NaN, 2);
        assertThat(check.rounds().get(2).asked()).containsExactly(0, 1, 2);
        assertThat(check.key()).isEqualTo(KEY.open());
        assertThat(lines.get(0)).contains("\"previous\":\"" + AuditLine.NOTHING + "\"");
    }

    @Test
    void aChangedLineIsNamed() throws IOException {
        List<String> lines = whole();
        lines.set(3, lines.get(3).replace("\"f\":-1", "\"f\":0"));
        assertThat(problems(lines)).containsExactly("line 4 was changed (entry 3)");
    }

    @Tag("long")
    @Test
    void everyChangedByteIsFound() throws IOException {
        String text = String.join("\n", whole()) + "\n";
        for (int at = 0; at < text.length() - 1; at += 19) {
            char other = text.charAt(at) == '0' ? '1' : '0';
            String changed = text.substring(0, at) + other + text.substring(at + 1);
            assertThat(AuditCheck.of(changed).intact()).as("byte %d", at).isFalse();
        }
    }

    @Test
    void aRemovedLineIsNamed() throws IOException {
        List<String> lines = whole();
        lines.remove(3);
        lines.remove(3);
        assertThat(problems(lines)).containsExactly("entries 3 to 4 were removed");
    }

    /** Including those that are more than the lines that are left. */
    @Test
    void allRemovedLinesAreNamed() throws IOException {
        List<String> lines = whole();
        lines.subList(1, 7).clear();
        assertThat(problems(lines)).containsExactly("entries 1 to 6 were removed");
    }

    @Test
    void anAddedLineIsNamed() throws IOException {
        List<String> lines = whole();
        lines.add(3, lines.get(3).replace("\"f\":-1", "\"f\":0"));
        assertThat(problems(lines))
                .containsExactly("line 4 was added or changed: the log's key has not signed it");
        lines.set(3, lines.get(1));
        assertThat(problems(lines)).containsExactly("line 4 (entry 1) repeats line 2");
    }

    @Test
    void linesInAnotherOrderAreNamed() throws IOException {
        List<String> lines = whole();
        lines.add(3, lines.remove(5));
        assertThat(problems(lines))
                .containsExactly(
                        "line 5 (entry 3) is out of order: it stood before line 4",
                        "line 6 (entry 4) is out of order: it stood before line 4");
    }

    @Test
    void aLogWhoseEndIsMissingSaysSo() throws IOException {
        List<String> lines = whole().subList(0, 6);
        AuditCheck check = AuditCheck.of(String.join("\n", lines) + "\n");
        assertThat(check.problems()).isEmpty();
        assertThat(check.notes().get(0)).startsWith("the log has no end");
        assertThat(check.parameters()).isEmpty();
    }

    @Test
    void theKeyOfAnotherLogSignsNothingHere() throws IOException {
        List<String> lines = whole();
        AuditKey other = AuditKey.generate();
        lines.set(
                4,
                AuditLine.signed(AuditLine.JSON.createObjectNode().put("entry", 4), other).text());
        assertThat(problems(lines)).containsExactly("line 5 was changed (entry 4)");
    }

    /** What a kill has cut off goes away, and rounds that come again stand behind a line of it. */
    @Test
    void aLogGoesOnAfterAKillInTheMiddleOfALine() throws IOException {
        byte[] kept;
        try (AuditLog log = open()) {
            log.resumed(new long[] {0});
            rounds(log, 0, 5);
            kept = log.kept();
        }
        Files.writeString(file, "{\"entry\":6,\"prev", StandardOpenOption.APPEND);
        assertThat(AuditCheck.of(Files.readString(file)).notes())
                .contains("the last line is cut off, as after a kill, and was ignored");

        try (AuditLog log = AuditLog.open(file, kept, AuditKey.generate(), Map.of(), 1)) {
            log.resumed(new long[] {3});
            rounds(log, 3, 6);
            end(log);
        }
        AuditCheck check = AuditCheck.of(Files.readString(file));
        assertThat(check.problems()).isEmpty();
        assertThat(check.notes())
                .containsExactly("2 rounds came again after a restart, with the same models");
        assertThat(check.rounds()).hasSize(6);
        assertThat(Files.readString(file)).contains("\"bytesCutOff\":16");
    }

    @Test
    void roundsThatAreMissingBeforeARestartAreNamed() throws IOException {
        try (AuditLog log = open()) {
            log.resumed(new long[] {0});
            rounds(log, 0, 2);
        }
        try (AuditLog log = open()) {
            log.resumed(new long[] {4});
            rounds(log, 4, 6);
        }
        assertThat(AuditCheck.of(Files.readString(file)).problems())
                .containsExactly(
                        "rounds 2 to 3 of server 0 are missing from the log, which continues with round 4 at line 4");
    }

    /** A run without a log was killed between the decision of round 3 and its end. */
    @Test
    void aRoundThatWasDecidedBeforeTheLogBeganIsNotMissing() throws IOException {
        try (AuditLog log = open()) {
            log.resumed(new long[] {3});
            rounds(log, 4, 6);
            end(log);
        }
        AuditCheck check = AuditCheck.of(Files.readString(file));
        assertThat(check.problems()).isEmpty();
        assertThat(check.notes())
                .containsExactly(
                        "the log begins with round 3 of server 0, from which the run was resumed",
                        "round 3 of server 0 was decided before the log began");
    }

    @Test
    void aLogInAnotherFolderHasTheKeyThatItsRunPrints() throws IOException {
        AuditKey fresh = AuditKey.generate();
        String words = AuditLog.words(directory.toUri(), fresh);
        for (int start = 0; start < 2; start++) { // the second restores the same checkpoint
            try (AuditLog log = AuditLog.open(file, KEY.encoded(), fresh, Map.of(), 1)) {
                log.resumed(new long[] {3});
            }
        }
        assertThat(words).endsWith(AuditCheck.of(Files.readString(file)).key().fingerprint());
    }

    @Test
    void twoCannotWriteAndAnotherKeyCannotGoOn() throws IOException {
        try (AuditLog log = open()) {
            log.resumed(new long[] {0});
            assertThatThrownBy(this::open).hasMessageEndingWith("is being written by another job");
        }
        assertThatThrownBy(() -> AuditLog.open(file, null, AuditKey.generate(), Map.of(), 1))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining(
                        "does not end with a line that the key of this run has signed");
    }

    @Test
    void whatIsNoLogIsSaidToBeNone() {
        assertThat(AuditCheck.of("").problems())
                .containsExactly("line 1 is not the beginning of a log of rounds with a key");
        assertThat(AuditCheck.of("[]\n{}\n").intact()).isFalse();
    }
}
