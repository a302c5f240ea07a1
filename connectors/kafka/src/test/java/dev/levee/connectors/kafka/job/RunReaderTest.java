package dev.levee.connectors.kafka.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.ToldServers;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.topology.Reading;

import org.junit.jupiter.api.Test;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Answers of worker 1 of three to version 4, whose model has two blocks. */
class RunReaderTest {
    private static final long RUN = 7;

    private final Map<Integer, BitSet> answers = new TreeMap<>();

    /** What three servers have published. */
    private static NewestVersion.Found newest(Reading reading) {
        Settings settings = new Settings(Cohort.first(3), 0, 3, 8, 0.1, false, false, 0);
        Header header = Header.model(RUN, 4, new ShardId(0, 0));
        byte[] model =
                Frames.of(
                        new ModelBlock(header, settings, new float[1]),
                        2,
                        3,
                        -1,
                        "",
                        new ToldServers(3, 1, "median", 1, reading),
                        null);
        return new NewestVersion.Found(
                RUN, 4, List.of(Frame.read(model).orElseThrow()), 0, Map.of());
    }

    private void count(Reading reading, int receiver, int block) {
        Header header = Header.gradient(RUN, 4, 1, new ShardId(receiver, block));
        GradientBlock gradient = new GradientBlock(header, 0.5, 1, 2, new float[1]);
        Frame frame = Frame.read(Frames.of(gradient, 2, null)).orElseThrow();
        RunReader.count(frame, newest(reading), answers);
    }

    @Test
    void eachServersBlocksCountByThemselves() {
        for (int receiver : new int[] {0, 1, 2, 1, 3, -1}) {
            count(Reading.PER_SERVER, receiver, 0);
            count(Reading.PER_SERVER, receiver, 1);
        }
        assertThat(answers.get(1).cardinality()).isEqualTo(6);
    }

    @Test
    void oneGradientForAllServersCountsOnce() {
        for (int receiver : new int[] {0, 1, 3, -1}) {
            count(Reading.AGGREGATE, receiver, 1);
        }
        assertThat(answers.get(1)).isEqualTo(BitSet.valueOf(new long[] {2}));
    }
}
