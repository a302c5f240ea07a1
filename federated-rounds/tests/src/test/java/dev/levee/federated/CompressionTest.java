package dev.levee.federated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.federated.compression.Change;
import dev.levee.federated.compression.Compression;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.LocalSteps;
import dev.levee.federated.steps.ServerSteps;
import dev.levee.gar.Draws;
import dev.levee.learners.Layout;
import dev.levee.learners.Segment;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Codes of changes, by hand and by what they promise. */
class CompressionTest {
    private static final int ROWS = 6;
    private static final int COLUMNS = 5;

    private static Layout vector(int length) {
        return new Layout(
                List.of(
                        new Segment("v", new long[] {length}, 0, true),
                        new Segment("running", new long[] {1}, length, false)));
    }

    private static Layout matrix() {
        return new Layout(
                List.of(
                        new Segment("m", new long[] {ROWS, COLUMNS}, 0, true),
                        new Segment("bias", new long[] {2}, ROWS * COLUMNS, true)));
    }

    private static float[] sent(
            String compression,
            Layout layout,
            long key,
            Map<String, float[]> kept,
            float... change) {
        float[] values = change.clone();
        Map<String, float[]> keeps = new HashMap<>();
        Compression.parse(compression)
                .apply(new Change(values, layout, key, Map.copyOf(kept), keeps));
        kept.clear();
        kept.putAll(keeps);
        return values;
    }

    /**
     * Half of (3, −4, 1, 2) is (3, −4); of the next change (0, 0, 1, 0) and (1, 2) it is (2, 2).
     */
    @Test
    void theLargestAreSentAndTheOthersKept() {
        Map<String, float[]> kept = new HashMap<>();
        assertThat(sent("topk(0.5)", vector(4), 1, kept, 3, -4, 1, 2, 9))
                .containsExactly(3, -4, 0, 0, 9);
        assertThat(kept.get("residual")).containsExactly(0, 0, 1, 2);
        assertThat(sent("topk(0.5)", vector(4), 1, kept, 0, 0, 1, 0, 9))
                .containsExactly(0, 0, 2, 2, 9);
        assertThat(kept.get("residual")).containsExactly(0, 0, 0, 0);
    }

    @Test
    void ofEqualValuesTheFirstAreSent() {
        assertThat(sent("topk(0.5)", vector(4), 1, new HashMap<>(), 1, -1, 1, 1, 0))
                .containsExactly(1, -1, 0, 0, 0);
        assertThat(sent("topk(0.01)", vector(4), 1, new HashMap<>(), 1, 1, -2, 1, 0))
                .containsExactly(0, 0, -2, 0, 0);
    }

    /** ‖(3, −4)‖ = 5, so that 5 levels hit both; of (1, 0) the norm is 1. */
    @Test
    void multiplesOfTheLevelsAreSentAsTheyAre() {
        assertThat(sent("qsgd(levels=5, bucket=2)", vector(4), 1, new HashMap<>(), 3, -4, 1, 0, 9))
                .containsExactly(3, -4, 1, 0, 9);
    }

    /** Each value is one of the two next levels, and v on average. */
    @Test
    void roundingHasNoBias() {
        float[] change = {0.3f, -1.1f, 2.5f, 0, 7};
        double norm = Math.sqrt(0.3 * 0.3 + 1.1 * 1.1 + 2.5 * 2.5);
        double[] sums = new double[4];
        int draws = 20_000;
        for (int draw = 0; draw < draws; draw++) {
            float[] sent =
                    sent("qsgd(levels=2)", vector(4), Draws.key(11, draw), new HashMap<>(), change);
            for (int i = 0; i < 4; i++) {
                sums[i] += sent[i];
                double level = sent[i] / norm * 2;
                assertThat(level).isCloseTo(Math.rint(level), within(1e-5));
                assertThat(Math.abs(sent[i] - change[i])).isLessThan((float) (norm / 2 + 1e-5));
            }
        }
        for (int i = 0; i < 4; i++) {
            // A level's standard deviation is at most norm/4; five of the mean's.
            assertThat(sums[i] / draws)
                    .isCloseTo(change[i], within(5 * norm / 4 / Math.sqrt(draws)));
        }
    }

    @Test
    void aMatrixOfTheRankIsSentAsItIs() {
        float[] change = new float[ROWS * COLUMNS + 2];
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < COLUMNS; j++) {
                change[i * COLUMNS + j] = (i + 1) * (j - 2) + (i % 2) * (j % 3);
            }
        }
        change[ROWS * COLUMNS] = 5;
        Map<String, float[]> kept = new HashMap<>();
        float[] sent = sent("powersgd(rank=2)", matrix(), 3, kept, change);
        for (int i = 0; i < change.length; i++) {
            assertThat(sent[i]).isCloseTo(change[i], within(1e-4f));
        }
        // A change of nothing leaves factors of zeros, from which the next one has to begin anew.
        sent("powersgd(rank=2)", matrix(), 4, kept, new float[change.length]);
        assertThat(sent("powersgd(rank=2)", matrix(), 5, kept, change)[0])
                .isCloseTo(change[0], within(1e-3f));
    }

    /** The values sent so far and the residual are the changes so far. */
    @ParameterizedTest
    @ValueSource(strings = {"topk(0.2)", "powersgd(rank=1)"})
    void nothingIsLost(String compression) {
        Map<String, float[]> kept = new HashMap<>();
        int length = matrix().size();
        double[] changed = new double[length];
        double[] sum = new double[length];
        for (int round = 0; round < 20; round++) {
            float[] change = new float[length];
            for (int i = 0; i < length; i++) {
                change[i] = (float) Draws.normal(Draws.key(7, round), i);
                changed[i] += change[i];
            }
            float[] sent = sent(compression, matrix(), round, kept, change);
            for (int i = 0; i < length; i++) {
                sum[i] += sent[i];
            }
        }
        for (int i = 0; i < length; i++) {
            assertThat(sum[i] + kept.get("residual")[i]).isCloseTo(changed[i], within(1e-4));
        }
    }

    /**
     * Of 30 + 2 trained values: topk sends 6 and 6 numbers or 4 bytes of bits; qsgd with 15 levels
     * 5 bits each and a norm; powersgd 11 per rank and the bias.
     */
    @ParameterizedTest
    @CsvSource({
        "none, 128",
        "topk(0.2), 28",
        "qsgd(levels=15), 24",
        "powersgd(rank=1), 52",
        "powersgd(rank=3), 128"
    })
    void bytesAreThoseOfTheCode(String compression, long bytes) {
        assertThat(Compression.parse(compression).bytes(matrix())).isEqualTo(bytes);
    }

    private static Federation averaging() {
        return FederatedRuns.averaging("uniform", 6, new LocalSteps.Steps(5));
    }

    private static float[] trained(Federation federation) {
        Training training = federation.of(FederatedRuns.run(25).build());
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            return RoundDriver.of(training, 1).gradients(gradients).run().parameters();
        }
    }

    @Test
    void aCodeOfEverythingChangesNoBit() {
        assertThat(trained(averaging().with(Compression.parse("topk(1)"))))
                .isEqualTo(trained(averaging()));
    }

    @Test
    void whatDevicesSendIsCounted() {
        FederatedRun run =
                FederatedRun.of(
                        averaging()
                                .with(Compression.parse("topk(0.01)"))
                                .of(FederatedRuns.run(2).build()));
        // 79 of 7850 values: their numbers take less than a bit for each value.
        assertThat(run.sentBytes(0)).isEqualTo(79 * 8);
        assertThat(run.floats(0)).isEqualTo(7850);
    }

    /** Adam's two averaged moments travel behind the compressed change as they are. */
    @Test
    void averagedVectorsAreCountedInFull() {
        Federation plain = averaging();
        LocalTraining averaged =
                new LocalTraining(
                        new LocalSteps.Steps(5),
                        false,
                        Optimizer.of(OptimizerKind.ADAM, 0),
                        LearningRate.parse("constant", 0.1, 10),
                        0,
                        LocalState.AVERAGE);
        FederatedRun run =
                FederatedRun.of(
                        new Federation(plain.participation(), averaged, plain.server())
                                .with(Compression.parse("topk(0.01)"))
                                .of(FederatedRuns.run(2).build()));

        assertThat(run.sentBytes(0)).isEqualTo(79 * 8 + 2 * 4 * 7850);
    }

    @Test
    void whatACodeCannotStandForIsRefused() {
        assertThatThrownBy(() -> Compression.parse("topk(share=0)"))
                .hasMessage("topk needs a share above 0 and at most 1, got 0.0");
        assertThatThrownBy(
                        () ->
                                averaging()
                                        .with(Compression.parse("qsgd"))
                                        .with(new PartialSync(2, 2, 2))
                                        .check(FederatedRuns.run(2).build()))
                .hasMessageContaining("is for");
        Federation mixing =
                new Federation(
                                averaging().participation(),
                                averaging().local(),
                                ServerSteps.parse("mix", 0.5))
                        .with(Compression.parse("qsgd"));
        assertThatThrownBy(() -> mixing.check(FederatedRuns.run(2).build()))
                .hasMessageContaining("compress qsgd(levels=15, bucket=512) is for devices");
    }
}
