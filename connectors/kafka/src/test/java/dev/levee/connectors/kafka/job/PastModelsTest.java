package dev.levee.connectors.kafka.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.LogConsumer;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Models of two blocks on two partitions; a mark of its transaction is behind each block. */
class PastModelsTest {
    private static final String TOPIC = "levee.models";
    private static final long RUN = 5;
    private static final Slices SLICES = new Slices(6, 6, 4);

    private final LogConsumer log = new LogConsumer(TOPIC, 2);

    private void block(long run, long version, int block, boolean evaluate) {
        float[] values = new float[SLICES.length(block)];
        Arrays.fill(values, version);
        Settings settings = new Settings(Cohort.first(3), 0, 3, 8, 0.5, false, evaluate, 0);
        Header header = Header.model(run, version, new ShardId(0, block));
        log.append(
                block, Frames.of(new ModelBlock(header, settings, values), SLICES.count(), null));
        log.gap(block, 1);
    }

    private void model(long run, long version, boolean evaluate) {
        block(run, version, 0, evaluate);
        block(run, version, 1, evaluate);
    }

    private List<Long> versions(long after, long newest) {
        List<Long> versions = new ArrayList<>();
        PastModels.read(
                log,
                TOPIC,
                SLICES,
                ServerRing.open(1),
                new PastModels.Range(RUN, after, newest),
                Duration.ofSeconds(10),
                (server, version, at, parameters) -> {
                    assertThat(server).isZero();
                    assertThat(parameters).hasSize(6).containsOnly(version);
                    versions.add(version);
                });
        return versions;
    }

    @Test
    void handsOutWhatWasToBeEvaluatedBetweenTwoVersions() {
        for (long version = 0; version <= 12; version++) {
            model(RUN, version, version % 2 == 0);
        }
        assertThat(versions(3, 12)).containsExactly(4L, 6L, 8L, 10L);
        assertThat(versions(-1, 12)).containsExactly(0L, 2L, 4L, 6L, 8L, 10L);
        assertThat(versions(11, 12)).isEmpty();
    }

    @Test
    void readsNoFurtherBackThanItMust() {
        for (long version = 0; version <= 200; version++) {
            model(RUN, version, true);
        }
        assertThat(versions(196, 200)).containsExactly(197L, 198L, 199L);
        assertThat(log.polled()).isLessThan(20);
    }

    @Test
    void leavesOutWhatIsCompactedAwayAndOtherRunsAndRubbish() {
        model(RUN - 1, 1, true);
        block(RUN, 1, 0, true);
        log.append(1, new byte[] {1, 2, 3});
        model(RUN, 2, true);
        block(RUN, 3, 1, true);
        model(RUN + 1, 3, true);
        model(RUN, 4, true);
        assertThat(versions(-1, 9)).containsExactly(2L, 4L);
    }
}
