package dev.levee.operators.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Look;
import dev.levee.gar.Reduction;
import dev.levee.gar.RowMap;
import dev.levee.operators.rounds.optimizer.OptimizerKind;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** One block of three coordinates, the last one a buffer. */
class ShardTest {
    private static final long RUN = 9;
    private static final Slices SLICES = new Slices(3, 2, 3);

    private final List<ModelBlock> models = new ArrayList<>();
    private final List<ShardReport> reports = new ArrayList<>();
    private final List<GradientBlock> late = new ArrayList<>();

    private Shard shard(Training training) {
        return restored(training, Shard.initial(training, new float[] {1, 2, 3}));
    }

    private Shard restored(Training training, ShardState state) {
        return new Shard(
                training,
                RUN,
                SLICES,
                0,
                state,
                new Shard.Output() {
                    @Override
                    public void model(ModelBlock block) {
                        models.add(block);
                    }

                    @Override
                    public void report(ShardReport report) {
                        reports.add(report);
                    }

                    @Override
                    public void late(GradientBlock gradient) {
                        late.add(gradient);
                    }
                },
                () -> 77);
    }

    private static GradientBlock gradient(long round, int worker, float... values) {
        return new GradientBlock(Header.gradient(RUN, round, worker, 0), 0.5, 10, 20, values);
    }

    private static Instruction.Decide decide(Training training, long round, int... rows) {
        return new Instruction.Decide(
                round,
                0,
                rows,
                RowMap.identity(rows.length, rows.length),
                List.of(),
                new Reduction.Mean(),
                Settings.of(training, round + 1));
    }

    private Rejection lastRejection() {
        return ((ShardReport.Dropped) reports.get(reports.size() - 1)).reason();
    }

    @Test
    void stepsAlongTheMeanAndReplacesTheBuffer() {
        Training training = Runs.of(2, 0).training();
        Shard shard = shard(training);

        shard.gradient(gradient(0, 0, 1, 2, 10));
        shard.gradient(gradient(0, 1, 3, 4, 20));
        shard.instruction(decide(training, 0, 0, 1));

        // x − 0.5·(2, 3), and the mean of the buffers.
        assertThat(models).hasSize(1);
        assertThat(models.get(0).values()).containsExactly(0, 0.5f, 15);
        assertThat(models.get(0).header()).isEqualTo(Header.model(RUN, 1, 0));
        assertThat(models.get(0).settings()).isEqualTo(Settings.of(training, 1));
        assertThat(reports.get(2)).isInstanceOf(ShardReport.Applied.class);
    }

    @Test
    void takesTheMedianOfBuffersWhereTheRuleIsRobust() {
        Training training = Runs.of(3, 1).rule("median").training();
        Shard shard = shard(training);

        shard.gradient(gradient(0, 0, 2, 0, 10));
        shard.gradient(gradient(0, 1, 4, 0, 20));
        shard.gradient(gradient(0, 2, 6, 0, 90));
        shard.instruction(
                new Instruction.Decide(
                        0,
                        0,
                        new int[] {0, 1, 2},
                        new RowMap(new double[][] {{0, 0, 1}}),
                        List.of(),
                        new Reduction.Mean(),
                        Settings.of(training, 1)));

        assertThat(models.get(0).values()).containsExactly(-2, 2, 20);
    }

    @Test
    void reportsWhatItMeasuredAndWhen() {
        Training training = Runs.of(3, 0).rule("multi-krum").training();
        Shard shard = shard(training);

        shard.gradient(gradient(0, 2, 1, 1, 5));
        shard.gradient(gradient(0, 0, 4, 5, 5));

        ShardReport.Arrived second = (ShardReport.Arrived) reports.get(1);
        // 3² + 4² to worker 2's row; the buffer is not measured.
        assertThat(second.measured()).containsExactly(0, 0, 25);
        assertThat(second.loss()).isEqualTo(0.5);
        assertThat(second.modelAt()).isEqualTo(10);
        assertThat(second.computedAt()).isEqualTo(20);
        assertThat(second.arrivedAt()).isEqualTo(77);
    }

    @Test
    void saysWhyItDropsAGradient() {
        Training training = Runs.of(4, 1).training();
        Shard shard = shard(training);

        shard.gradient(gradient(0, -1, 1, 1, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.UNKNOWN_WORKER);
        shard.gradient(gradient(0, 4, 1, 1, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.UNKNOWN_WORKER);
        shard.gradient(gradient(1, 0, 1, 1, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.STALE);
        shard.gradient(
                new GradientBlock(
                        Header.gradient(RUN + 1, 0, 0, 0), 0, 0, 0, new float[] {1, 1, 1}));
        assertThat(lastRejection()).isEqualTo(Rejection.STALE);
        shard.gradient(gradient(0, 1, 1, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.WRONG_SIZE);
        shard.gradient(
                new GradientBlock(Header.gradient(RUN, 0, 3, 1), 0, 0, 0, new float[] {1, 1, 1}));
        assertThat(lastRejection()).isEqualTo(Rejection.WRONG_SIZE);
        shard.gradient(gradient(0, 2, 1, Float.NaN, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.NON_FINITE);
        shard.gradient(gradient(0, 2, 1, 1, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.DUPLICATE);
        shard.gradient(gradient(0, 0, 1, 1, 1));
        shard.gradient(gradient(0, 0, 9, 9, 9));
        assertThat(lastRejection()).isEqualTo(Rejection.DUPLICATE);

        shard.instruction(decide(training, 0, 0));
        shard.gradient(gradient(0, 0, 1, 1, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.DUPLICATE);
        assertThat(late).isEmpty();
        shard.gradient(gradient(0, 3, 1, 1, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.LATE);
        assertThat(late).extracting(g -> g.header().sender()).containsExactly(3);
    }

    @Test
    void findsEveryKindOfNonFiniteValueAnywhere() {
        for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY, -1 / 0f}) {
            for (int at = 0; at < 3; at++) {
                float[] values = {1e38f, -1e38f, 1e38f};
                Shard shard = shard(Runs.of(1, 0).training());
                shard.gradient(gradient(0, 0, values.clone()));
                assertThat(reports.get(reports.size() - 1)).isInstanceOf(ShardReport.Arrived.class);
                values[at] = bad;
                shard(Runs.of(1, 0).training()).gradient(gradient(0, 0, values));
                assertThat(lastRejection()).isEqualTo(Rejection.NON_FINITE);
            }
        }
    }

    @Test
    void keepsNonFiniteValuesWhereItIsTold() {
        shard(Runs.of(1, 0).keepNonFinite().training()).gradient(gradient(0, 0, Float.NaN, 1, 1));
        assertThat(reports.get(0)).isInstanceOf(ShardReport.Arrived.class);
    }

    @Test
    void remembersSixteenRounds() {
        Training training = Runs.of(2, 0).rounds(100).training();
        Shard shard = shard(training);
        for (int round = 0; round < 17; round++) {
            shard.gradient(gradient(round, 0, 1, 1, 1));
            shard.instruction(decide(training, round, 0));
        }
        shard.gradient(gradient(1, 1, 1, 1, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.LATE);
        shard.gradient(gradient(0, 1, 1, 1, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.STALE);
        assertThat(late).hasSize(1);
    }

    @Test
    void followsAnInstructionOnce() {
        Training training = Runs.of(1, 0).training();
        Shard shard = shard(training);
        shard.gradient(gradient(0, 0, 1, 1, 1));
        shard.instruction(decide(training, 0, 0));
        shard.instruction(decide(training, 0, 0));
        assertThat(models).hasSize(1);
        assertThat(shard.snapshot().version()).isEqualTo(1);
    }

    @Test
    void answersALookOnce() {
        Training training = Runs.of(2, 0).rule("clip(2) | nnm | average").training();
        Shard shard = shard(training);
        shard.gradient(gradient(0, 0, 0, 0, 0));
        shard.gradient(gradient(0, 1, 6, 8, 0));
        Instruction.LookAgain halved =
                new Instruction.LookAgain(
                        0,
                        0,
                        1,
                        new int[] {0, 1},
                        new RowMap(new double[][] {{1, 0}, {0, 0.5}}),
                        Look.DISTANCES);

        shard.instruction(halved);
        shard.instruction(halved);

        assertThat(reports).hasSize(3);
        ShardReport.Seen seen = (ShardReport.Seen) reports.get(2);
        assertThat(seen.phase()).isEqualTo(1);
        assertThat(seen.share().squaredDistances()).containsExactly(25);
    }

    @Test
    void offersItsModelAgainAfterARestart() {
        Training training = Runs.of(1, 0).training();
        Shard shard = shard(training);
        shard.gradient(gradient(0, 0, 2, 2, 2));
        shard.instruction(decide(training, 0, 0));

        restored(training, shard.snapshot()).restart();

        assertThat(models).hasSize(2);
        assertThat(models.get(1).values()).isEqualTo(models.get(0).values());
        assertThat(models.get(1).settings()).isEqualTo(models.get(0).settings());
    }

    @Test
    void neverWritesIntoASnapshot() {
        Training training = Runs.of(2, 0).optimizer(OptimizerKind.ADAM).training();
        Shard shard = shard(training);
        shard.gradient(gradient(0, 0, 2, 2, 2));
        ShardState state = shard.snapshot();
        shard.gradient(gradient(0, 1, Float.NaN, 2, 2));
        shard.instruction(decide(training, 0, 0));

        assertThat(state.version()).isZero();
        assertThat(state.values()).containsExactly(1, 2, 3);
        assertThat(state.moments()).isDeepEqualTo(new float[2][3]);
        assertThat(state.rows()[0]).containsExactly(2, 2, 2);
        assertThat(state.rows()[1]).isNull();
        assertThat(state.refused()).containsExactly(false, false);
    }

    @Test
    void opensNoRoundOnTheFinalModel() {
        Training training = Runs.of(1, 0).rounds(1).training();
        Shard shard = shard(training);
        shard.gradient(gradient(0, 0, 2, 2, 2));
        shard.instruction(decide(training, 0, 0));
        assertThat(models.get(0).settings().stop()).isTrue();
        shard.instruction(decide(training, 1, 0));
        assertThat(models).hasSize(1);
    }
}
