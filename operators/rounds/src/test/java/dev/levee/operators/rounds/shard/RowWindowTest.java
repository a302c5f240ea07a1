package dev.levee.operators.rounds.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.gar.Look;
import dev.levee.gar.RowMap;
import dev.levee.gar.block.Span;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.training.Runs;
import dev.levee.operators.rounds.training.Training;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Windows of rounds that are summed: 40 of 1000 participants, of whom a shard keeps 8 rows. */
class RowWindowTest {
    private static final int MEMBERS = 40;
    private static final int LENGTH = 9;
    private static final Training TRAINING =
            Runs.of(1000, 0).sampled(MEMBERS).rowsHeld(8).training();
    private static final Settings SETTINGS = TRAINING.plan().at(TRAINING, 0);

    private static RowWindow window() {
        return new RowWindow(SETTINGS, RowWindow.State.empty(TRAINING, 0, 0, SETTINGS, LENGTH));
    }

    private static GradientBlock contribution(int place, float[] values, double weight) {
        int id = SETTINGS.cohort().id(place);
        Header header = Header.gradient(1, 0, id, new ShardId(0, 0));
        return new GradientBlock(header, weight, Double.NaN, 0, 0, values);
    }

    private static BitSet places(int... places) {
        BitSet set = new BitSet();
        IntStream.of(places).forEach(set::set);
        return set;
    }

    private static float[][] rows(SplittableRandom random) {
        float[][] rows = new float[MEMBERS][LENGTH];
        for (float[] row : rows) {
            for (int i = 0; i < LENGTH; i++) {
                double magnitude = Math.pow(10, random.nextInt(-12, 12));
                row[i] = (float) ((random.nextDouble() - 0.5) * magnitude);
            }
        }
        return rows;
    }

    private static double[] weights(SplittableRandom random) {
        double[] weights = new double[MEMBERS];
        Arrays.setAll(weights, place -> random.nextInt(1, 600));
        return weights;
    }

    private static int[] shuffled(SplittableRandom random) {
        int[] order = IntStream.range(0, MEMBERS).toArray();
        for (int i = MEMBERS - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
        return order;
    }

    /** Σ wᵢxᵢ / Σ wᵢ of exact numbers, rounded once to double and once to float. */
    private static float[] exactMean(float[][] rows, double[] weights, int[] places) {
        float[] mean = new float[LENGTH];
        BigDecimal total = BigDecimal.ZERO;
        for (int place : places) {
            total = total.add(new BigDecimal(weights[place]));
        }
        for (int i = 0; i < LENGTH; i++) {
            BigDecimal sum = BigDecimal.ZERO;
            for (int place : places) {
                BigDecimal value = new BigDecimal(rows[place][i]);
                sum = sum.add(value.multiply(new BigDecimal(weights[place])));
            }
            mean[i] = (float) sum.divide(total, MathContext.DECIMAL128).doubleValue();
        }
        return mean;
    }

    private static int[] ids(int[] places) {
        return IntStream.of(places).sorted().map(SETTINGS.cohort()::id).toArray();
    }

    @Test
    void theMeanHasTheSameBitsInEveryOrderAndWhateverIsAdmittedWhen() {
        for (long seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            float[][] rows = rows(random);
            double[] weights = weights(random);
            int closing = random.nextInt(1, MEMBERS + 1);
            // Who closes the round; the others may come too, but are never admitted.
            int[] closed = Arrays.copyOf(shuffled(random), closing);
            float[] expected = exactMean(rows, weights, closed);
            for (int time = 0; time < 3; time++) {
                RowWindow window = window();
                BitSet admitted = new BitSet();
                for (int place : shuffled(random)) {
                    window.put(place, contribution(place, rows[place], weights[place]));
                    boolean closes = IntStream.of(closed).anyMatch(p -> p == place);
                    if (closes && random.nextInt(3) > 0) {
                        admitted.set(place);
                    }
                    if (random.nextInt(4) == 0) {
                        window.sum((BitSet) admitted.clone());
                    }
                    if (random.nextInt(10) == 0) {
                        window = new RowWindow(SETTINGS, window.snapshot());
                    }
                }
                assertThat(window.mean(ids(closed), List.of(), 0))
                        .as("seed %d", seed)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void weightsCountAsManyTimes() {
        RowWindow window = window();
        float[] ones = new float[LENGTH];
        Arrays.fill(ones, 1);
        float[] fives = new float[LENGTH];
        Arrays.fill(fives, 5);
        window.put(2, contribution(2, ones, 3));
        window.put(0, contribution(0, fives, 1));
        // (3·1 + 1·5) / 4.
        float[] twos = new float[LENGTH];
        Arrays.fill(twos, 2);
        assertThat(window.mean(ids(new int[] {0, 2}), List.of(), 0)).isEqualTo(twos);
    }

    @Test
    void forgetsRowsThatItHasAddedUpButNotThatTheyCame() {
        RowWindow window = window();
        for (int place = 0; place < 5; place++) {
            window.put(place, contribution(place, new float[LENGTH], 1));
        }
        window.refuse(7);
        window.sum(places(0, 1, 3));

        GradientBlock[] kept = window.snapshot().contributions();
        assertThat(Arrays.stream(kept).filter(Objects::nonNull)).hasSize(5);
        assertThat(Arrays.stream(kept).filter(Objects::nonNull))
                .filteredOn(each -> each.values().length > 0)
                .hasSize(2);
        assertThat(IntStream.range(0, MEMBERS).filter(place -> window.answered(place, 0)))
                .containsExactly(0, 1, 2, 3, 4, 7);
        RowWindow restored = new RowWindow(SETTINGS, window.snapshot());
        assertThat(IntStream.range(0, MEMBERS).filter(place -> restored.answered(place, 0)))
                .containsExactly(0, 1, 2, 3, 4, 7);
    }

    @Test
    void anAdmissionThatIsRepeatedAddsNothingTwice() {
        RowWindow window = window();
        float[] row = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        window.put(4, contribution(4, row, 2));
        window.sum(places(4));
        window.sum(places(4));
        assertThat(window.mean(ids(new int[] {4}), List.of(), 0)).isEqualTo(row);
    }

    @Test
    void neverWritesIntoASnapshot() {
        RowWindow window = window();
        float[] row = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        window.put(0, contribution(0, row, 1));
        RowWindow.State before = window.snapshot();
        window.sum(places(0));
        RowWindow.State between = window.snapshot();
        window.put(1, contribution(1, new float[] {3, 2, 1, 0, 0, 0, 0, 0, 0}, 1));
        window.sum(places(0, 1));

        assertThat(new RowWindow(SETTINGS, before).answered(1, 0)).isFalse();
        assertThat(before.summed().isEmpty()).isTrue();
        assertThat(before.contributions()[0].values()).isSameAs(row);
        assertThat(new RowWindow(SETTINGS, before).mean(ids(new int[] {0}), List.of(), 0))
                .isEqualTo(row);
        assertThat(between.summed()).isEqualTo(places(0));
        assertThat(new RowWindow(SETTINGS, between).mean(ids(new int[] {0}), List.of(), 0))
                .isEqualTo(row);
        // And two that continue from the same snapshot do not disturb one another.
        assertThat(window.mean(ids(new int[] {0, 1}), List.of(), 0))
                .containsExactly(2, 2, 2, 2, 2.5f, 3, 3.5f, 4, 4.5f);
    }

    @Test
    void aMeanWithoutARowThatWasAddedUpIsNone() {
        RowWindow window = window();
        window.put(0, contribution(0, new float[LENGTH], 1));
        window.put(1, contribution(1, new float[LENGTH], 1));
        window.sum(places(0));
        assertThatThrownBy(() -> window.mean(ids(new int[] {1}), List.of(), 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("rows at {0, 1} are in a mean of those at {1}");
    }

    @Test
    void sumsOnlyAveragesOfMoreRowsThanItMayKeep() {
        Training few = Runs.of(8, 0).rowsHeld(8).training();
        assertThat(RowWindow.sums(few, 0, 0, few.plan().at(few, 0))).isFalse();
        Training more = Runs.of(9, 0).rowsHeld(8).training();
        assertThat(RowWindow.sums(more, 0, 0, more.plan().at(more, 0))).isTrue();
        Training median = Runs.of(9, 0).rule("median").rowsHeld(8).training();
        assertThat(RowWindow.sums(median, 0, 0, median.plan().at(median, 0))).isFalse();
        Training mixed = Runs.of(9, 0).rule("nnm | average").rowsHeld(8).training();
        assertThat(RowWindow.sums(mixed, 0, 0, mixed.plan().at(mixed, 0))).isFalse();
    }

    private static GradientBlock range(int place, float[] whole, int from) {
        GradientBlock own = contribution(place, new float[0], 1);
        return new GradientBlock(
                own.header(),
                1,
                Double.NaN,
                0,
                0,
                whole,
                from,
                from == 0 ? whole.length : LENGTH,
                null,
                null,
                null);
    }

    /** Rows of this process are ranges of whole gradients, those of others arrays of their own. */
    @Test
    void rowsAreTheSameWhereverTheyLie() {
        Training training = Runs.of(3, 0).rule("multi-krum").training();
        Settings settings = training.plan().at(training, 0);
        SplittableRandom random = new SplittableRandom(1);
        Span span = new Span(0, LENGTH, 1, 0);
        for (int layout = 0; layout < 8; layout++) {
            RowWindow cut =
                    new RowWindow(
                            settings, RowWindow.State.empty(training, 0, 0, settings, LENGTH));
            RowWindow mixed =
                    new RowWindow(
                            settings, RowWindow.State.empty(training, 0, 0, settings, LENGTH));
            for (int place = 0; place < 3; place++) {
                float[] whole = new float[3 * LENGTH];
                for (int i = 0; i < whole.length; i++) {
                    whole[i] = random.nextInt(100);
                }
                GradientBlock own = range(place, Arrays.copyOfRange(whole, LENGTH, 2 * LENGTH), 0);
                GradientBlock ranged = range(place, whole, LENGTH);
                assertThat(ranged.values()).isEqualTo(own.values());
                GradientBlock put = (layout >> place & 1) == 0 ? own : ranged;
                assertThat(mixed.measure(Look.DISTANCES, put, null, span, LENGTH))
                        .isEqualTo(cut.measure(Look.DISTANCES, own, null, span, LENGTH));
                cut.put(place, own);
                mixed.put(place, put);
            }
            Instruction.LookAgain again =
                    new Instruction.LookAgain(
                            0,
                            new ShardId(0, 0),
                            1,
                            new int[] {0, 1, 2},
                            new long[3],
                            RowMap.identity(3, 3),
                            Look.DISTANCES);
            assertThat(mixed.look(again, null, span, LENGTH).squaredDistances())
                    .isEqualTo(cut.look(again, null, span, LENGTH).squaredDistances());
            assertThat(new RowWindow(settings, mixed.snapshot()).rows(again).count()).isEqualTo(3);
        }
    }
}
