package dev.levee.gar.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.SplittableRandom;

class WeightedSumTest {
    private static final int ROWS = 60;

    private static float[] over(WeightedSum sum, double weights) {
        float[] out = new float[sum.length()];
        sum.over(weights, out);
        return out;
    }

    private static int[] bits(float[] values) {
        int[] bits = new int[values.length];
        Arrays.setAll(bits, i -> Float.floatToRawIntBits(values[i]));
        return bits;
    }

    private static WeightedSum sum(float[][] rows, double[] weights, int[] order) {
        WeightedSum sum = new WeightedSum(rows[0].length);
        for (int row : order) {
            sum.add(rows[row], weights[row]);
        }
        return sum;
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

    /** A kind of values for each coordinate, from tame to wild. */
    private static float value(int kind, SplittableRandom random) {
        double sign = random.nextBoolean() ? 1 : -1;
        return switch (kind) {
            case 0 -> (float) (sign * random.nextDouble());
            case 1 -> (float) (sign * Math.pow(10, random.nextDouble(-37, 38)));
            case 2 -> (float) (sign * random.nextInt(1, 100) * Float.MIN_VALUE);
            case 3 -> (float) (sign * (random.nextInt(4) == 0 ? 1e30 : 1e-3 * random.nextDouble()));
            case 4 -> random.nextInt(20) > 0 ? 1 : Float.POSITIVE_INFINITY;
            case 5 -> random.nextInt(20) > 0 ? 1 : (float) sign * Float.POSITIVE_INFINITY;
            case 6 -> random.nextInt(30) > 0 ? (float) sign / 0f : Float.NaN;
            case 7 -> (float) sign * Float.MAX_VALUE;
            default -> 0;
        };
    }

    private static final int KINDS = 9;

    private static float[][] rows(SplittableRandom random) {
        float[][] rows = new float[ROWS][3 * KINDS];
        for (float[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                row[i] = value(i % KINDS, random);
            }
        }
        return rows;
    }

    @Test
    void hasTheSameBitsInWhateverOrderRowsAreAdded() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            float[][] rows = rows(random);
            double[] weights = new double[ROWS];
            double[] kinds = {1, random.nextInt(1, 1000), random.nextDouble(), 1e12, 1e-12};
            double kind = kinds[random.nextInt(kinds.length)];
            Arrays.setAll(weights, i -> kind == 1 ? 1 : kind * random.nextInt(1, 50));
            int[] expected = bits(over(sum(rows, weights, shuffled(ROWS, random)), 7));
            for (int time = 0; time < 5; time++) {
                WeightedSum again = sum(rows, weights, shuffled(ROWS, random));
                assertThat(bits(over(again, 7))).as("seed %d", seed).isEqualTo(expected);
            }
        }
    }

    /** Parts of the rows are summed first, as hosts do. */
    @Test
    void hasTheSameBitsInWhateverGroupsRowsAreAdded() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            float[][] rows = rows(random);
            double[] weights = new double[ROWS];
            boolean unlike = random.nextBoolean();
            Arrays.setAll(weights, i -> unlike ? random.nextDouble() * random.nextInt(1, 50) : 1);
            int[] expected = bits(over(sum(rows, weights, shuffled(ROWS, random)), 7));
            for (int time = 0; time < 5; time++) {
                WeightedSum[] parts = new WeightedSum[random.nextInt(1, 9)];
                Arrays.setAll(parts, part -> new WeightedSum(rows[0].length));
                for (int row : shuffled(ROWS, random)) {
                    parts[random.nextInt(parts.length)].add(rows[row], weights[row]);
                }
                WeightedSum all = new WeightedSum(rows[0].length);
                for (int part : shuffled(parts.length, random)) {
                    all.add(parts[part]);
                }
                assertThat(bits(over(all, 7))).as("seed %d", seed).isEqualTo(expected);
            }
        }
    }

    @Test
    void addsFiniteTermsUpAsDigitsHoweverLargeOrSmallTheirWeightsAre() {
        for (double weight : new double[] {1e-288, 1e-280, 1e-30, 1, 1e30, 1e289, 1e307}) {
            WeightedSum sum = new WeightedSum(3);
            sum.add(new float[] {1, -4, 0.5f}, weight);
            sum.add(new float[] {2, 4, 0.25f}, 2 * weight);
            // Terms that were added as numbers would come to depend on their order.
            assertThat(sum.special()).as("%s", weight).isNull();
            // (1 + 4)/3, (−4 + 8)/3 and (1/2 + 2/4)/3.
            assertThat(over(sum, 3 * weight))
                    .as("%s", weight)
                    .containsExactly((float) (5 / 3.0), (float) (4 / 3.0), (float) (1 / 3.0));
        }
    }

    @Test
    void isOffByLessThanAMillionthOfABillionthOfItsTerms() {
        for (long seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            WeightedSum sum = new WeightedSum(4);
            BigDecimal[] exact = {
                BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO
            };
            BigDecimal[] magnitude = exact.clone();
            for (int row = 0; row < ROWS; row++) {
                float[] values = new float[4];
                double weight = random.nextInt(1, 1 << 20);
                for (int i = 0; i < 4; i++) {
                    values[i] = value(i, random);
                    BigDecimal term = new BigDecimal(values[i]).multiply(new BigDecimal(weight));
                    exact[i] = exact[i].add(term);
                    magnitude[i] = magnitude[i].add(term.abs());
                }
                sum.add(values, weight);
            }
            long[][] digits = sum.digits();
            for (int i = 0; i < 4; i++) {
                // What the digits say, before they are rounded to a float.
                BigDecimal base = BigDecimal.valueOf(1L << 32);
                BigDecimal said =
                        BigDecimal.valueOf(digits[0][i])
                                .multiply(base)
                                .add(BigDecimal.valueOf(digits[1][i]))
                                .multiply(base)
                                .add(BigDecimal.valueOf(digits[2][i]));
                said = scaled(said, 32 * (sum.top()[i] - 2) - 960);
                BigDecimal allowed = scaled(magnitude[i], -50);
                assertThat(said.subtract(exact[i]).abs())
                        .as("seed %d, coordinate %d", seed, i)
                        .isLessThanOrEqualTo(allowed);

                float rounded = over(sum, 1)[i];
                if (Float.isFinite(rounded)) {
                    BigDecimal half = scaled(BigDecimal.ONE, -150);
                    BigDecimal rounding = scaled(exact[i].abs(), -24).max(half).add(allowed);
                    assertThat(new BigDecimal(rounded).subtract(exact[i]).abs())
                            .as("seed %d, coordinate %d", seed, i)
                            .isLessThanOrEqualTo(rounding);
                }
            }
        }
    }

    private static BigDecimal scaled(BigDecimal value, int exponent) {
        BigDecimal power = BigDecimal.valueOf(exponent < 0 ? 0.5 : 2).pow(Math.abs(exponent));
        return value.multiply(power);
    }

    @Test
    void whatCancelsLeavesWhatIsLeft() {
        WeightedSum sum = new WeightedSum(3);
        sum.add(new float[] {1e10f, 3e38f, 0.1f}, 1);
        sum.add(new float[] {1, 1, 1e-30f}, 1);
        sum.add(new float[] {-1e10f, -3e38f, -0.1f}, 1);
        // 3e38 and 1 are more than 2⁶⁴ apart: what is left of the 1 is not kept.
        assertThat(over(sum, 1)).containsExactly(1, 0, 0);
    }

    @Test
    void denormalsAreValuesLikeAnyOther() {
        WeightedSum sum = new WeightedSum(2);
        sum.add(new float[] {Float.MIN_VALUE, 3 * Float.MIN_VALUE}, 2);
        sum.add(new float[] {Float.MIN_VALUE, -Float.MIN_VALUE}, 2);
        // (2 + 2)·2⁻¹⁴⁹ / 4 and (6 − 2)·2⁻¹⁴⁹ / 4.
        assertThat(over(sum, 4)).containsExactly(Float.MIN_VALUE, Float.MIN_VALUE);
    }

    @Test
    void infinitiesAndNaNAreWhatTheyAreInAnySum() {
        float inf = Float.POSITIVE_INFINITY;
        WeightedSum sum = new WeightedSum(5);
        sum.add(new float[] {inf, -inf, inf, Float.NaN, 1}, 1);
        sum.add(new float[] {1, 1, -inf, 1, 1}, 1);
        assertThat(over(sum, 2)).containsExactly(inf, -inf, Float.NaN, Float.NaN, 1);
    }

    @Test
    void aSumOfNothingIsZero() {
        assertThat(over(new WeightedSum(2), 1)).containsExactly(0, 0);
        WeightedSum cancelled = new WeightedSum(1);
        cancelled.add(new float[] {5}, 2);
        cancelled.add(new float[] {-5}, 2);
        assertThat(over(cancelled, 4)).containsExactly(0);
    }

    @Test
    void goesOnFromWhatItSaid() {
        for (long seed = 0; seed < 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            float[][] rows = rows(random);
            WeightedSum whole = new WeightedSum(rows[0].length);
            WeightedSum first = new WeightedSum(rows[0].length);
            for (int i = 0; i < ROWS; i++) {
                whole.add(rows[i], i + 1);
                if (i < ROWS / 2) {
                    first.add(rows[i], i + 1);
                }
            }
            WeightedSum copy = first.copy();
            int[] before = bits(over(first, 3));
            long[][] digits = first.digits().clone();
            Arrays.setAll(digits, d -> digits[d].clone());
            double[] special = first.special() == null ? null : first.special().clone();
            WeightedSum read = WeightedSum.of(digits, first.top().clone(), special);
            for (int i = ROWS / 2; i < ROWS; i++) {
                read.add(rows[i], i + 1);
                copy.add(rows[i], i + 1);
            }
            assertThat(bits(over(read, 3))).as("seed %d", seed).isEqualTo(bits(over(whole, 3)));
            assertThat(bits(over(copy, 3))).as("seed %d", seed).isEqualTo(bits(over(whole, 3)));
            // A copy is its own.
            assertThat(bits(over(first, 3))).as("seed %d", seed).isEqualTo(before);
        }
    }

    @Test
    void refusesARowOfAnotherLength() {
        assertThatThrownBy(() -> new WeightedSum(2).add(new float[3], 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a row of 3 coordinates in a sum of 2");
    }
}
