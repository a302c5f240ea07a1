package dev.levee.operators.rounds.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Look;
import dev.levee.gar.Reduction;
import dev.levee.gar.RowMap;
import dev.levee.gar.block.WeightedSum;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.Lease;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.PartialSum;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.optimizer.Position;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** One block of three coordinates, the last one a buffer. */
class ShardTest {
    private static final long RUN = 9;
    private static final Slices SLICES = new Slices(3, 2, 3);
    private static final ShardId SHARD = new ShardId(0, 0);

    private final List<ModelBlock> models = new ArrayList<>();
    private final List<ShardReport> reports = new ArrayList<>();
    private final List<GradientBlock> late = new ArrayList<>();

    /** Arrays of whole models, by version; none if null. */
    private float[][] whole;

    private Shard shard(Training training) {
        return restored(training, Shard.initial(training, 0, new float[] {1, 2, 3}));
    }

    private Shard restored(Training training, ShardState state) {
        return new Shard(
                training,
                RUN,
                SLICES,
                SHARD,
                state,
                new Shard.Output() {
                    @Override
                    public float[] whole(ShardId shard, long version) {
                        return whole == null ? null : whole[(int) version];
                    }

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
        return new GradientBlock(Header.gradient(RUN, round, worker, SHARD), 0.5, 10, 20, values);
    }

    private static Instruction.Decide decide(Training training, long round, int... rows) {
        return new Instruction.Decide(
                round,
                SHARD,
                rows,
                bases(round, rows.length),
                RowMap.identity(rows.length, rows.length),
                List.of(),
                new Reduction.Mean(),
                Plan.FIXED.at(training, round + 1));
    }

    private static long[] bases(long version, int count) {
        long[] bases = new long[count];
        Arrays.fill(bases, version);
        return bases;
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
        assertThat(models.get(0).header()).isEqualTo(Header.model(RUN, 1, SHARD));
        assertThat(models.get(0).settings()).isEqualTo(Plan.FIXED.at(training, 1));
        assertThat(reports.get(2)).isInstanceOf(ShardReport.Applied.class);
    }

    private static GradientBlock masked(int worker, int... integers) {
        float[] bits = new float[integers.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Float.intBitsToFloat(integers[i]);
        }
        Header header = Header.gradient(RUN, 0, worker, SHARD).encoded(Header.MASKED);
        return new GradientBlock(header, 0.5, 10, 20, bits);
    }

    @Test
    void stepsAlongTheSumOfWhatIsUnderMasks() {
        Training training = Runs.of(2, 0).masked().training();
        Shard shard = shard(training);

        shard.gradient(masked(0, 0x7fc00001, 5, Integer.MIN_VALUE));
        shard.gradient(masked(1, (4 << 24) - 0x7fc00001, (2 << 24) - 5, Integer.MIN_VALUE));
        shard.instruction(decide(training, 0, 0, 1));

        // x − 0.5·(4, 2), and the buffer's sum.
        assertThat(models.get(0).values()).containsExactly(-1, 1, 0);
    }

    @Test
    void aMaskedRoundWithoutAllOfItChangesNothing() {
        Training training =
                Runs.of(2, 0).masked().deadlineMillis(100).serverMomentum(0.5).training();
        Shard shard = shard(training);

        shard.gradient(masked(0, 0, 1 << 24, 0));
        shard.gradient(masked(1, 1 << 24, 0, 0));
        shard.instruction(decide(training, 0, 0, 1));
        float[] stepped = models.get(0).values();
        shard.gradient(
                new GradientBlock(
                        Header.gradient(RUN, 1, 1, SHARD).encoded(Header.MASKED),
                        0.5,
                        10,
                        20,
                        new float[3]));
        shard.instruction(decide(training, 1, 1));

        // Not even the server's momentum continues.
        assertThat(models.get(1).values()).isEqualTo(stepped).containsExactly(0.5f, 1.5f, 0);
        assertThat(models.get(1).header().round()).isEqualTo(2);
    }

    @Test
    void masksAreForRunsThatWantThem() {
        Shard shard = shard(Runs.of(2, 0).training());
        shard.gradient(masked(0, 1, 2, 3));
        assertThat(lastRejection()).isEqualTo(Rejection.WRONG_SIZE);
        Shard summing = shard(Runs.of(2, 0).masked().training());
        summing.gradient(gradient(0, 0, 1, 2, 3));
        assertThat(lastRejection()).isEqualTo(Rejection.WRONG_SIZE);
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
                        SHARD,
                        new int[] {0, 1, 2},
                        new long[3],
                        new RowMap(new double[][] {{0, 0, 1}}),
                        List.of(),
                        new Reduction.Mean(),
                        Plan.FIXED.at(training, 1)));

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
                        Header.gradient(RUN + 1, 0, 0, SHARD), 0, 0, 0, new float[] {1, 1, 1}));
        assertThat(lastRejection()).isEqualTo(Rejection.STALE);
        shard.gradient(gradient(0, 1, 1, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.WRONG_SIZE);
        shard.gradient(
                new GradientBlock(
                        Header.gradient(RUN, 0, 3, new ShardId(0, 1)),
                        0,
                        0,
                        0,
                        new float[] {1, 1, 1}));
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
                        SHARD,
                        1,
                        new int[] {0, 1},
                        new long[2],
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

        restored(training, shard.snapshot()).offer();

        assertThat(models).hasSize(2);
        assertThat(models.get(1).values()).isEqualTo(models.get(0).values());
        assertThat(models.get(1).settings()).isEqualTo(models.get(0).settings());
    }

    /** v ← v + g; x ← x − rate·v, where v is 4 before the first step. */
    private record Begun() implements Optimizer {
        @Override
        public int moments() {
            return 1;
        }

        @Override
        public float[][] initial(int length) {
            float[][] moments = new float[1][length];
            Arrays.fill(moments[0], 4);
            return moments;
        }

        @Override
        public void step(
                Position from, float[] aggregate, int length, long step, double rate, Position to) {
            for (int i = 0; i < length; i++) {
                to.moments()[0][i] = from.moments()[0][i] + aggregate[i];
                to.x()[i] = from.x()[i] - (float) rate * to.moments()[0][i];
            }
        }
    }

    @Test
    void aStateBeforeTheFirstStepBeginsWithTheOptimizersMoments() {
        Training training =
                new TrainingBuilder(Runs.of(1, 0).training()).optimizer(new Begun()).build();
        ShardState fresh = Shard.initial(training, 0, new float[] {1, 2, 3});
        ParameterBlock zeros = new ParameterBlock(fresh.block().values(), new float[1][3], null);
        for (ParameterBlock block : List.of(fresh.block(), zeros)) {
            Shard shard =
                    restored(training, ShardState.opening(training, 0, 0, fresh.settings(), block));
            shard.gradient(gradient(0, 0, 2, 2, 2));
            shard.instruction(decide(training, 0, 0));
        }
        assertThat(models.get(0).values()).containsExactly(-2, -1, 2);
        assertThat(models.get(1).values()).isEqualTo(models.get(0).values());
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
        assertThat(state.block().values()).containsExactly(1, 2, 3);
        assertThat(state.block().moments()).isDeepEqualTo(new float[2][3]);
        assertThat(state.window().contributions()[0].values()).containsExactly(2, 2, 2);
        assertThat(state.window().contributions()[1]).isNull();
        assertThat(state.window().refused().isEmpty()).isTrue();
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

    private static GradientBlock weighted(long round, int worker, double weight, float... values) {
        return new GradientBlock(
                Header.gradient(RUN, round, worker, SHARD), weight, 0.5, 10, 20, values);
    }

    private static Instruction.Admit admit(long round, BitSet places) {
        return new Instruction.Admit(round, SHARD, places);
    }

    private static Instruction.Average average(Training training, long round, int... rows) {
        return new Instruction.Average(
                round,
                SHARD,
                rows,
                bases(round, rows.length),
                List.of(),
                training.plan().at(training, round + 1));
    }

    private static BitSet places(int... places) {
        BitSet set = new BitSet();
        IntStream.of(places).forEach(set::set);
        return set;
    }

    @Test
    void aSummedRoundStepsAlongTheWeightedMean() {
        Training training = Runs.of(4, 0).quorum(3).rowsHeld(2).training();
        Shard shard = shard(training);
        shard.gradient(weighted(0, 3, 2, 1, 0, 10));
        shard.gradient(weighted(0, 1, 1, 5, 3, 20));
        shard.instruction(admit(0, places(1, 3)));
        assertThat(models).isEmpty();
        // Worker 2 comes, but is not among those that close the round.
        shard.gradient(weighted(0, 2, 1, 99, 99, 99));
        shard.gradient(weighted(0, 0, 1, 1, 1, 40));
        shard.instruction(average(training, 0, 0, 1, 3));

        // Means (2 + 5 + 1)/4, (0 + 3 + 1)/4 and (20 + 20 + 40)/4: x − 0.5·(2, 1), and the buffer.
        assertThat(models.get(0).values()).containsExactly(0, 1.5f, 20);
        assertThat(reports.get(4)).isInstanceOf(ShardReport.Applied.class);
        shard.gradient(gradient(0, 3, 1, 1, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.DUPLICATE);
        shard.gradient(gradient(0, 2, 1, 1, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.LATE);
    }

    @Test
    void reportsWhatAContributionWeighs() {
        Shard shard = shard(Runs.of(2, 0).training());
        shard.gradient(weighted(0, 1, 2.5, 1, 1, 1));
        assertThat(((ShardReport.Arrived) reports.get(0)).weight()).isEqualTo(2.5);
    }

    @Test
    void aWeightThatIsNoneIsAFault() {
        double[] bad = {0, -1, Double.NaN, Double.POSITIVE_INFINITY};
        for (double weight : bad) {
            Shard shard = shard(Runs.of(1, 0).training());
            shard.gradient(weighted(0, 0, weight, 1, 1, 1));
            assertThat(lastRejection()).as("%s", weight).isEqualTo(Rejection.WRONG_SIZE);
        }
    }

    @Test
    void onlyThoseWhoWereAskedAnswer() {
        Training training = Runs.of(1000, 0).sampled(3).training();
        Settings settings = training.settings(0, Cohort.of(3, 70, 999));
        ParameterBlock block =
                ParameterBlock.initial(new float[] {1, 2, 3}, training.step().optimizer());
        Shard shard = restored(training, ShardState.opening(training, 0, 0, settings, block));
        shard.gradient(gradient(0, 5, 1, 1, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.NOT_ASKED);
        shard.gradient(gradient(0, 5, 1, Float.NaN, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.NOT_ASKED);
        shard.gradient(gradient(0, 1000, 1, 1, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.UNKNOWN_WORKER);
        shard.gradient(gradient(0, 999, 3, 6, 9));
        shard.gradient(gradient(0, 3, 1, 2, 3));
        shard.gradient(gradient(0, 999, 9, 9, 9));
        assertThat(lastRejection()).isEqualTo(Rejection.DUPLICATE);
        assertThat(shard.snapshot().window().contributions()).hasSize(3);

        shard.instruction(decide(training, 0, 3, 999));
        // x − 0.5·(2, 4), and the mean of the buffers.
        assertThat(models.get(0).values()).containsExactly(0, 0, 6);
    }

    @Test
    void aRowThatWasAddedUpIsADuplicateWhenItComesAgain() {
        Training training = Runs.of(4, 0).rowsHeld(0).training();
        Shard shard = shard(training);
        shard.gradient(gradient(0, 2, 4, 4, 4));
        shard.instruction(admit(0, places(2)));
        shard.gradient(gradient(0, 2, 9, 9, 9));
        assertThat(lastRejection()).isEqualTo(Rejection.DUPLICATE);
        shard.instruction(average(training, 0, 2));
        assertThat(models.get(0).values()).containsExactly(-1, 0, 4);
    }

    private static GradientBlock together(long round, int... workers) {
        WeightedSum sum = new WeightedSum(3);
        List<GradientBlock> members = new ArrayList<>();
        for (int worker : workers) {
            GradientBlock each = gradient(round, worker, worker, 2 * worker, 4);
            sum.add(each.values(), each.weight());
            members.add(each.summed());
        }
        return GradientBlock.of(new PartialSum(members, sum), 5);
    }

    @Test
    void aPartialSumIsAsManyRowsAndComesOnce() throws IOException {
        Training training = Runs.of(4, 0).combined().training();
        Shard shard = shard(training);
        shard.gradient(together(0, 1, 3));
        assertThat(((ShardReport.Combined) reports.get(reports.size() - 1)).rows())
                .extracting(ShardReport.Arrived::worker)
                .containsExactly(1, 3);
        shard.gradient(together(0, 0, 1));
        assertThat(lastRejection()).isEqualTo(Rejection.DUPLICATE);
        shard.gradient(gradient(0, 0, 0, 0, 4));
        Shard restored =
                restored(
                        training,
                        Codecs.SHARD.read(
                                new DataInputStream(
                                        new ByteArrayInputStream(
                                                Codecs.SHARD.bytes(shard.snapshot())))));
        for (Shard each : List.of(shard, restored)) {
            models.clear();
            each.instruction(admit(0, places(1, 3)));
            each.gradient(gradient(0, 2, 2, 4, 4));
            each.instruction(average(training, 0, 0, 1, 2, 3));
            // Half a step back along means of 1.5 and 3; the last coordinate is a buffer.
            assertThat(models.get(0).values()).containsExactly(0.25f, 0.5f, 4);
            each.gradient(together(0, 1, 3));
            assertThat(lastRejection()).isEqualTo(Rejection.DUPLICATE);
        }
    }

    @Test
    void anAdmissionOfAnotherRoundIsIgnored() {
        Training training = Runs.of(4, 0).rowsHeld(2).training();
        Shard shard = shard(training);
        shard.gradient(gradient(0, 2, 4, 4, 4));
        shard.instruction(average(training, 0, 2));
        shard.instruction(admit(0, places(2)));
        shard.instruction(admit(2, places(2)));
        shard.instruction(average(training, 0, 2));
        assertThat(models).hasSize(1);
        assertThat(shard.snapshot().window().summed().isEmpty()).isTrue();
    }

    @Test
    void neverWritesIntoASnapshotOfASummedRound() {
        Training training = Runs.of(4, 0).rowsHeld(2).training();
        Shard shard = shard(training);
        shard.gradient(weighted(0, 0, 2, 1, 1, 1));
        shard.instruction(admit(0, places(0)));
        ShardState state = shard.snapshot();
        byte[] before = Codecs.SHARD.bytes(state);
        shard.gradient(weighted(0, 1, 1, 1e30f, 7, 7));
        shard.instruction(admit(0, places(0, 1)));
        shard.gradient(weighted(0, 3, 1, 2, 2, 2));
        shard.instruction(average(training, 0, 0, 1, 3));

        assertThat(Codecs.SHARD.bytes(state)).isEqualTo(before);
        Shard again = restored(training, state);
        again.gradient(weighted(0, 1, 1, 1e30f, 7, 7));
        again.gradient(weighted(0, 3, 1, 2, 2, 2));
        again.instruction(average(training, 0, 0, 1, 3));
        assertThat(models).hasSize(2);
        assertThat(models.get(1).values()).containsExactly(models.get(0).values());
    }

    /** 30 of 60 workers close a summed round, in three orders, with and without restores. */
    @Test
    void aSummedRoundHasTheSameBitsHoweverItGoes() {
        Training training = Runs.of(60, 0).quorum(30).rowsHeld(6).training();
        for (long seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            GradientBlock[] gradients = new GradientBlock[60];
            for (int worker = 0; worker < 60; worker++) {
                float[] values = new float[3];
                for (int i = 0; i < 3; i++) {
                    double magnitude = Math.pow(10, random.nextInt(-15, 15));
                    values[i] = (float) ((random.nextDouble() - 0.5) * magnitude);
                }
                gradients[worker] = weighted(0, worker, random.nextInt(1, 100), values);
            }
            int[] closing = Arrays.copyOf(shuffled(60, random), 30);
            Arrays.sort(closing);
            float[] mean = exactMean(gradients, closing);
            // From 0, half a step back along the mean; the last coordinate is a buffer.
            float[] expected = {-0.5f * mean[0], -0.5f * mean[1], mean[2]};
            for (int time = 0; time < 3; time++) {
                models.clear();
                Shard shard = restored(training, Shard.initial(training, 0, new float[] {0, 0, 3}));
                BitSet admitted = new BitSet();
                for (int worker : shuffled(60, random)) {
                    shard.gradient(gradients[worker]);
                    if (Arrays.binarySearch(closing, worker) >= 0) {
                        admitted.set(worker);
                    }
                    if (random.nextInt(5) == 0) {
                        shard.instruction(admit(0, (BitSet) admitted.clone()));
                    }
                    if (time > 0 && random.nextInt(12) == 0) {
                        byte[] written = Codecs.SHARD.bytes(shard.snapshot());
                        shard = restored(training, Codecs.SHARD.of(written));
                    }
                }
                shard.instruction(average(training, 0, closing));
                assertThat(models).hasSize(1);
                assertThat(models.get(0).values()).as("seed %d", seed).isEqualTo(expected);
            }
        }
    }

    private static int[] shuffled(int count, SplittableRandom random) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }

    private static float[] exactMean(GradientBlock[] gradients, int[] workers) {
        float[] mean = new float[3];
        for (int i = 0; i < 3; i++) {
            BigDecimal sum = BigDecimal.ZERO;
            BigDecimal total = BigDecimal.ZERO;
            for (int worker : workers) {
                BigDecimal weight = new BigDecimal(gradients[worker].weight());
                sum = sum.add(weight.multiply(new BigDecimal(gradients[worker].values()[i])));
                total = total.add(weight);
            }
            mean[i] = (float) sum.divide(total, MathContext.DECIMAL128).doubleValue();
        }
        return mean;
    }

    @Test
    void countsWhatCameTooLateInTheNextRoundAndOnlyOnce() {
        Training training = Runs.of(3, 0).quorum(2).staleness(1).training();
        Shard shard = shard(training);
        shard.gradient(gradient(0, 0, 2, 2, 2));
        shard.gradient(gradient(0, 1, 4, 4, 4));
        shard.gradient(gradient(0, 2, 6, 6, 6));
        shard.instruction(decide(training, 0, 0, 1));
        shard.gradient(gradient(1, 2, 7, 7, 7));
        shard.gradient(gradient(1, 0, 8, 8, 10));
        // x − 0.5·(3, 3), and the mean of the buffers.
        assertThat(models.get(0).values()).containsExactly(-0.5f, 0.5f, 3);

        Shard restored = restored(training, shard.snapshot());
        restored.instruction(
                new Instruction.Decide(
                        1,
                        SHARD,
                        new int[] {0, 2},
                        new long[] {1, 0},
                        RowMap.identity(2, 2),
                        List.of(),
                        new Reduction.Mean(),
                        training.plan().at(training, 2)));
        // x − 0.5·(7, 7).
        assertThat(models.get(models.size() - 1).values()).containsExactly(-4, -3, 8);

        restored.gradient(gradient(0, 2, 6, 6, 6));
        assertThat(lastRejection()).isEqualTo(Rejection.LATE);
        restored.gradient(gradient(1, 0, 8, 8, 10));
        assertThat(lastRejection()).isEqualTo(Rejection.DUPLICATE);
        // What worker 2 answered to version 1 counts in round 2, and no longer in round 3.
        assertThat(restored.snapshot().window().contributions()[2].header().round()).isEqualTo(1);
        restored.gradient(gradient(2, 0, 1, 1, 1));
        restored.instruction(decide(training, 2, 0));
        assertThat(restored.snapshot().window().contributions()).containsOnlyNulls();
        assertThat(reports).contains(new ShardReport.Dropped(1, SHARD, 2, Rejection.LATE));
    }

    @Test
    void keepsNoMoreThanTwoThatWaitOfASenderWhereAsManyWaitAsThereAreSenders() {
        Training training = Runs.of(2, 0).quorum(1).staleness(9).training();
        Shard shard = shard(training);
        for (int round = 0; round < 5; round++) {
            shard.gradient(gradient(round, 0, 1, 1, 1));
            shard.gradient(gradient(round, 1, 1, 1, 1));
            shard.instruction(decide(training, round, 1));
        }
        assertThat(reports.stream().filter(ShardReport.Dropped.class::isInstance))
                .extracting(each -> ((ShardReport.Dropped) each).reason())
                .containsExactly(Rejection.DUPLICATE, Rejection.DUPLICATE);
        assertThat(shard.snapshot().window().contributions()[0].header().round()).isZero();
        assertThat(shard.snapshot().window().waiting())
                .extracting(each -> each.header().round())
                .containsExactly(1L, 2L);
    }

    /** Three that came in part would otherwise shut their sender out. */
    @Test
    void keepsAFourthContributionOfASenderWhileFewWait() {
        Training training = Runs.of(4, 0).quorum(1).staleness(9).training();
        Shard shard = shard(training);
        for (int round = 0; round < 4; round++) {
            shard.gradient(gradient(round, 0, 1, 1, 1));
            shard.gradient(gradient(round, 1, 1, 1, 1));
            shard.instruction(decide(training, round, 1));
        }
        assertThat(shard.snapshot().window().waiting())
                .extracting(each -> each.header().round())
                .containsExactly(1L, 2L, 3L);
    }

    /** Three rounds of momentum, of which a checkpoint is taken after the first and the second. */
    @Test
    void whatACheckpointHasStaysAsItWas() {
        Training training = Runs.of(2, 0).serverMomentum(0.5).training();
        Shard shard = shard(training);
        List<ShardState> states = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            close(shard, training, round);
            states.add(shard.snapshot());
        }
        // v = 2; 0.5·2 + 4; 0.5·5 + 6
        assertThat(states)
                .extracting(state -> state.block().moments()[0][0])
                .containsExactly(2f, 5f, 8.5f);
        assertThat(states.get(0).block().values()[0]).isEqualTo(1 - 0.5f * 2);

        Shard again = restored(training, states.get(0));
        close(again, training, 1);
        close(again, training, 2);
        assertThat(again.block().values()).containsExactly(states.get(2).block().values());
        assertThat(again.block().moments()[0]).containsExactly(states.get(2).block().moments()[0]);
    }

    private static void close(Shard shard, Training training, int round) {
        float gradient = 2 * round + 2;
        shard.gradient(gradient(round, 0, gradient, 1, 10));
        shard.gradient(gradient(round, 1, gradient, 1, 10));
        shard.instruction(decide(training, round, 0, 1));
    }

    @Test
    void aStepMakesNoNewMomentsWhereNobodyElseHasTheOld() {
        Optimizer optimizer = Optimizer.of(OptimizerKind.SGD, 0.5);
        ParameterBlock first = ParameterBlock.initial(new float[] {1, 2, 3}, optimizer);
        float[] aggregate = {2, 2, 2};
        ParameterBlock second =
                first.step(optimizer, aggregate, 3, 0, 0.5, false, ParameterBlock.Own.NOTHING);
        assertThat(second.moments()[0]).isNotSameAs(first.moments()[0]).containsExactly(2, 2, 2);
        assertThat(first.moments()[0]).containsExactly(0, 0, 0);
        ParameterBlock.Own moments = new ParameterBlock.Own(false, true);
        ParameterBlock third = second.step(optimizer, aggregate, 3, 1, 0.5, false, moments);
        assertThat(third.moments()[0]).isSameAs(second.moments()[0]).containsExactly(3, 3, 3);
        assertThat(second.values()).containsExactly(0, 1, 2);
    }

    /** Values are stepped in place, and a copy lies where participants put the model together. */
    @Test
    void writesItsBlockWhereParticipantsReadIt() {
        Training training = Runs.of(2, 0).serverMomentum(0.5).training();
        Shard plain = shard(training);
        List<float[]> expected = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            close(plain, training, round);
            expected.add(models.get(round).values());
        }

        models.clear();
        whole = new float[5][3];
        Shard shard = shard(training);
        List<ShardState> states = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            close(shard, training, round);
            if (round == 1) {
                states.add(shard.snapshot());
            }
        }
        for (int round = 0; round < 4; round++) {
            assertThat(models.get(round).array()).isSameAs(whole[round + 1]);
            assertThat(models.get(round).values()).containsExactly(expected.get(round));
        }
        assertThat(states.get(0).block().values()).containsExactly(expected.get(1));
    }

    @Test
    void returnsTheArraysOfRowsWhenTheRoundIsOver() {
        Training training = Runs.of(2, 0).training();
        Shard shard = shard(training);
        AtomicInteger unread = new AtomicInteger();

        lent(shard, 0, unread);
        assertThat(unread).hasValue(0);
        shard.instruction(decide(training, 0, 0, 1));
        assertThat(unread).hasValue(2);

        // What a checkpoint is written from stays as it is.
        lent(shard, 1, unread);
        ShardState state = shard.snapshot();
        shard.instruction(decide(training, 1, 0, 1));
        assertThat(unread).hasValue(2);
        assertThat(state.window().contributions()[0].values()).containsExactly(1, 2, 10);

        lent(shard, 2, unread);
        shard.instruction(decide(training, 2, 0, 1));
        assertThat(unread).hasValue(4);
    }

    private static void lent(Shard shard, long round, AtomicInteger unread) {
        for (int worker = 0; worker < 2; worker++) {
            Lease lease = new Lease(unread::incrementAndGet);
            shard.gradient(
                    new GradientBlock(
                            Header.gradient(RUN, round, worker, SHARD),
                            1,
                            0.5,
                            10,
                            20,
                            new float[] {1, 2, 10},
                            0,
                            3,
                            null,
                            null,
                            lease.toReader()));
            lease.done();
        }
    }
}
