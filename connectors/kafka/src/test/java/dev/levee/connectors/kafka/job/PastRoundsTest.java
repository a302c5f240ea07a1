package dev.levee.connectors.kafka.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.LogConsumer;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RoundReportBuilder;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** States of block 0 on the first of two partitions, each followed by its transaction's mark. */
class PastRoundsTest {
    private static final String TOPIC = "levee.states";
    private static final long RUN = 5;

    private static SigningKey job;
    private static SigningKey stranger;
    private static VerifyingKey trusted;

    private final LogConsumer log = new LogConsumer(TOPIC, 2);

    @BeforeAll
    static void makeKeys(@TempDir Path directory) throws IOException {
        KeyDirectory keys = new KeyDirectory(directory);
        keys.generate(KeyDirectory.JOB);
        keys.generate("w0");
        job = keys.signing(KeyDirectory.JOB);
        trusted = keys.verifying(KeyDirectory.JOB);
        stranger = keys.signing("w0");
    }

    private void append(long run, long version, double loss, SigningKey key) {
        RoundReport last =
                version == 0
                        ? null
                        : new RoundReportBuilder(version - 1)
                                .decidedAt(1000 * version * version)
                                .seconds(Double.NaN)
                                .phases(new double[0])
                                .loss(loss)
                                .rows(0, 1)
                                .selected(1)
                                .build();
        VersionState state =
                new VersionState(
                        1,
                        new float[0][],
                        null,
                        new CoordinatorMemory(
                                version, new RuleState(new double[0]), List.of(), last));
        log.append(
                0,
                Frames.ofState(
                        Header.model(run, version, new ShardId(0, 0)), 1, state.bytes(), key));
        log.gap(0, 1);
    }

    private List<RoundReport> rounds(long after, long newest) {
        return PastRounds.between(
                log, TOPIC, 0, RUN, trusted, after, newest, Duration.ofSeconds(10));
    }

    @Test
    void tellsTheRoundsBetweenTwoVersions() {
        for (long version = 0; version <= 8; version++) {
            append(RUN, version, version, job);
        }
        List<RoundReport> rounds = rounds(3, 7);
        assertThat(rounds).extracting(RoundReport::round).containsExactly(3L, 4L, 5L, 6L);
        assertThat(rounds).extracting(RoundReport::loss).containsExactly(4.0, 5.0, 6.0, 7.0);
        assertThat(rounds).extracting(RoundReport::seconds).containsExactly(0.0, 9.0, 11.0, 13.0);
        assertThat(rounds.get(0).selected()).containsExactly(1);
        assertThat(rounds(7, 8)).extracting(RoundReport::round).containsExactly(7L);
    }

    @Test
    void readsNoFurtherBackThanItMust() {
        for (long version = 0; version <= 200; version++) {
            append(RUN, version, 1, job);
        }
        assertThat(rounds(195, 200)).hasSize(5);
        assertThat(log.polled()).isLessThan(20);
    }

    @Test
    void leavesOutWhatIsCompactedAway() {
        append(RUN, 2, 1, job);
        log.gap(0, 9);
        append(RUN, 6, 1, job);
        append(RUN, 7, 1, job);
        assertThat(rounds(0, 7)).extracting(RoundReport::round).containsExactly(1L, 5L, 6L);
        assertThat(rounds(0, 7)).extracting(RoundReport::seconds).containsExactly(0.0, 0.0, 13.0);
    }

    @Test
    void passesOverOtherRunsStrangersAndRubbish() {
        append(RUN - 1, 3, 1, job);
        append(RUN, 1, 1, job);
        append(RUN, 2, 1, stranger);
        log.append(0, new byte[] {1, 2, 3});
        append(RUN, 3, 1, job);
        append(RUN + 1, 2, 1, job);
        assertThat(rounds(0, 3)).extracting(RoundReport::round).containsExactly(0L, 2L);
    }

    @Test
    void isNothingOfAnEmptyTopic() {
        assertThat(rounds(0, 3)).isEmpty();
    }
}
