package dev.levee.gar.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Samples;
import dev.levee.gar.internal.vector.VectorKernels;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/** The plain and the vector kernels agree bit for bit, on whatever numbers and remainders. */
class KernelsTest {
    private static final int SEEDS = 40;
    private final Kernels plain = new PlainKernels();
    private final Kernels vector = new VectorKernels();

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 15, 16, 17, 31, 1000})
    void findWhatIsNotFiniteWhereverItIs(int length) {
        for (Kernels kernels : new Kernels[] {plain, vector}) {
            for (int from : new int[] {0, 1, 5}) {
                float[] row = new float[from + length + 1];
                Arrays.fill(row, -3e38f);
                Arrays.fill(row, 0, from, Float.NaN); // before the beginning
                row[from + length] = Float.NaN; // behind the end
                assertThat(kernels.finite(row, from, length)).isTrue();
                for (int i = from; i < from + length; i++) {
                    for (float bad : new float[] {Float.NaN, 1 / 0f, -1 / 0f}) {
                        row[i] = bad;
                        assertThat(kernels.finite(row, from, length))
                                .as("%s at %d of %d", bad, i, from)
                                .isFalse();
                    }
                    row[i] = 1e-45f;
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 15, 16, 17, 31, 64, 100, 1000, Kernels.CHUNK})
    void sumsBetweenRows(int length) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int rows = 1 + random.nextInt(9);
            int[] from = random.ints(rows + 1, 0, 6).toArray();
            Rows x = new Rows(rows(random, rows + 1, length + 5), from, length);
            int count = 1 + random.nextInt(rows);
            float[] expected = new float[Kernels.lanesFor(count)];
            float[] actual = new float[Kernels.lanesFor(count)];
            Arrays.fill(actual, 9);
            int used = count * Kernels.LANES;
            plain.distances(x, rows, 0, count, expected);
            vector.distances(x, rows, 0, count, actual);
            assertThat(Arrays.copyOf(actual, used))
                    .as("distances, seed %d", seed)
                    .isEqualTo(Arrays.copyOf(expected, used));
            plain.products(x, rows, rows - count, count, expected);
            vector.products(x, rows, rows - count, count, actual);
            assertThat(Arrays.copyOf(actual, used))
                    .as("products, seed %d", seed)
                    .isEqualTo(Arrays.copyOf(expected, used));
        }
    }

    /** A tile holds what one row against many gives, its last row standing in behind the end. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 15, 16, 17, 31, 64, 100, 1000, Kernels.CHUNK})
    void sumsOfTiles(int length) {
        int size = Kernels.TILE;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int rows = Kernels.TILE_ROWS + random.nextInt(7);
            int[] from = random.ints(rows, 0, 6).toArray();
            Rows x = new Rows(rows(random, rows, length + 5), from, length);
            int a = random.nextInt(rows - Kernels.TILE_ROWS + 1);
            int b = random.nextInt(rows);
            int last = rows - 1;
            for (Kernels kernels : new Kernels[] {plain, vector}) {
                float[] distances = rows(random, 1, size)[0];
                float[] products = rows(random, 1, size)[0];
                kernels.tileOfDistances(x, a, b, distances);
                kernels.tileOfProducts(x, a, b, products);
                float[] one = new float[Kernels.LANES * 4];
                for (int pair = 0; pair < size / Kernels.LANES; pair++) {
                    int i = a + pair / Kernels.TILE_COLUMNS;
                    int j = Math.min(b + pair % Kernels.TILE_COLUMNS, last);
                    plain.distances(x, i, j, 1, one);
                    assertThat(lanes(distances, pair))
                            .as("distance of %d and %d, seed %d", i, j, seed)
                            .isEqualTo(lanes(one, 0));
                    plain.products(x, i, j, 1, one);
                    assertThat(lanes(products, pair))
                            .as("product of %d and %d, seed %d", i, j, seed)
                            .isEqualTo(lanes(one, 0));
                }
            }
        }
    }

    private static float[] lanes(float[] sums, int pair) {
        return Arrays.copyOfRange(sums, pair * Kernels.LANES, (pair + 1) * Kernels.LANES);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 16, 33, 64, 1000, 1100})
    void combinationsOfRows(int length) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int rows = 1 + random.nextInt(20);
            int[] from = random.ints(rows, 0, 6).toArray();
            Rows x = new Rows(rows(random, rows, length + 5), from, length);
            double[] weights = random.doubles(rows, -2, 2).toArray();
            weights[0] = 1;
            int count = random.nextInt(rows + 1);
            double divisor = 1 + random.nextInt(9);
            for (double[] given : new double[][] {weights, null}) {
                float[] expected = new float[length + 3];
                float[] actual = new float[length + 3];
                for (int i = 0; i < length; i++) {
                    double sum = 0;
                    for (int r = 0; r < count; r++) {
                        double weight = given == null ? 1 : given[r];
                        sum += weight * x.arrays()[r][from[r] + i];
                    }
                    expected[2 + i] = (float) (sum / divisor);
                }
                plain.combine(given, x, count, divisor, actual, 2);
                assertThat(actual).as("plain, seed %d", seed).isEqualTo(expected);
                Arrays.fill(actual, 0);
                vector.combine(given, x, count, divisor, actual, 2);
                assertThat(actual).as("vector, seed %d", seed).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 31, 32, 33, 1000, 4100})
    void combinationsOfRowsOutsideTheHeap(int length) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int count = 1 + random.nextInt(20);
            int from = random.nextInt(5);
            float[][] arrays = rows(random, count, from + length);
            ByteBuffer[] outside = new ByteBuffer[count];
            for (int r = 0; r < count; r++) {
                outside[r] = ByteBuffer.allocateDirect((from + length) * Float.BYTES);
                outside[r].order(ByteOrder.nativeOrder()).asFloatBuffer().put(arrays[r]);
            }
            int[] starts = new int[count];
            Arrays.fill(starts, from);
            Rows x = new Rows(arrays, starts, length);
            double[] weights = random.doubles(count, -2, 2).toArray();
            for (double[] given : new double[][] {weights, null}) {
                float[] expected = new float[length + 3];
                plain.combine(given, x, count, 3, expected, 2);
                for (Kernels kernels : new Kernels[] {plain, vector}) {
                    float[] actual = new float[length + 3];
                    kernels.combine(given, outside, from, length, 3, actual, 2);
                    assertThat(actual).as("seed %d", seed).isEqualTo(expected);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 16, 33, 1000})
    void sumsOfRows(int length) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int rows = 1 + random.nextInt(20);
            int[] from = random.ints(rows, 0, 6).toArray();
            Rows x = new Rows(rows(random, rows, length + 5), from, length);
            double[] expected = random.doubles(length).toArray();
            double[] actual = expected.clone();
            boolean fresh = random.nextBoolean();
            int first = random.nextInt(rows);
            plain.add(x, first, rows - first, expected, fresh);
            vector.add(x, first, rows - first, actual, fresh);
            assertThat(actual).as("sums, seed %d", seed).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 16, 33, 1000})
    void differencesAreThoseOfDoubles(int length) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int[] from = random.ints(3, 0, 6).toArray();
            float[][] arrays = rows(random, 3, length + 5);
            arrays[2] = arrays[1].clone();
            Rows x = new Rows(arrays, from, length);
            int other = seed % 3 == 0 ? 2 : 0;
            float[] expected = new float[length + 2];
            for (int i = 0; i < length; i++) {
                double sum = 0;
                sum += arrays[other][from[other] + i];
                expected[2 + i] = (float) (sum - arrays[1][from[1] + i]);
            }
            for (Kernels kernels : new Kernels[] {plain, vector}) {
                float[] actual = new float[length + 2];
                kernels.subtract(x, other, 1, actual, 2);
                assertThat(actual).as("differences, seed %d", seed).isEqualTo(expected);
            }
        }
    }

    /** Where the reciprocal might round otherwise: quotients near the middle of two floats. */
    @Test
    void quotientsRoundLikeDivision() {
        Random random = new Random(1);
        double[] sums = new double[1000];
        float[] expected = new float[1000];
        float[] actual = new float[1000];
        for (int divisor = 1; divisor < 70; divisor++) {
            for (int i = 0; i < sums.length; i++) {
                float value = Float.intBitsToFloat(random.nextInt());
                double middle = ((double) value + Math.nextUp(value)) / 2;
                sums[i] = (i % 2 == 0 ? middle : Math.nextUp(middle)) * divisor;
            }
            plain.divide(sums, divisor, sums.length, expected, 0);
            vector.divide(sums, divisor, sums.length, actual, 0);
            assertThat(actual).as("divided by %d", divisor).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 16, 33, 1000})
    void keysAndComparators(int length) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            float[][] x = rows(random, 2, length + 3);
            int[][] expected = new int[2][length];
            int[][] actual = new int[2][length];
            for (int r = 0; r < 2; r++) {
                plain.toKeys(x[r], 3, length, expected[r]);
                vector.toKeys(x[r], 3, length, actual[r]);
            }
            assertThat(actual).as("keys, seed %d", seed).isDeepEqualTo(expected);
            plain.exchange(expected[0], expected[1], length);
            vector.exchange(actual[0], actual[1], length);
            assertThat(actual).as("exchanged, seed %d", seed).isDeepEqualTo(expected);
            int[][] four = new int[4][];
            Arrays.setAll(four, k -> random.ints(length, -3, 4).toArray());
            int[][] expectedFour = new int[4][];
            Arrays.setAll(expectedFour, k -> four[k].clone());
            plain.exchange(
                    expectedFour[0], expectedFour[1], expectedFour[2], expectedFour[3], length);
            vector.exchange(four[0], four[1], four[2], four[3], length);
            assertThat(four).as("four exchanged, seed %d", seed).isDeepEqualTo(expectedFour);
            float[] wanted = new float[length + 2];
            float[] out = new float[length + 2];
            plain.fromKeys(expected[0], length, wanted, 2);
            vector.fromKeys(actual[0], length, out, 2);
            assertThat(out).as("floats, seed %d", seed).isEqualTo(wanted);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 16, 33, 400})
    void meansOfRanks(int length) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int rows = 1 + random.nextInt(20);
            int[][] keys = new int[rows][length];
            float[][] x = rows(random, rows, length);
            for (int r = 0; r < rows; r++) {
                plain.toKeys(x[r], 0, length, keys[r]);
            }
            int low = random.nextInt(rows);
            int high = low + random.nextInt(rows - low);
            float[] expected = new float[length + 2];
            for (int i = 0; i < length; i++) {
                double sum = 0;
                for (int r = low; r <= high; r++) {
                    sum += Float.intBitsToFloat(PlainKernels.flip(keys[r][i]));
                }
                expected[2 + i] = (float) (sum / (high - low + 1));
            }
            for (Kernels kernels : new Kernels[] {plain, vector}) {
                float[] actual = new float[length + 2];
                kernels.meanOfRanks(keys, low, high, length, actual, 2);
                assertThat(actual).as("seed %d", seed).isEqualTo(expected);
            }
        }
    }

    /** Every shape of the last run, and merges of every number of layers. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15, 16, 17, 33, 64, 65, 100, 128, 129, 200, 257, 300, 700, 1100})
    void columnsAreSortedWhereRanksAreWanted(int rows) {
        for (int seed = 0; seed < (rows > 200 ? 2 : 6); seed++) {
            Random random = new Random(seed);
            int columns = 1 + random.nextInt(40);
            int room = (columns + Kernels.LANES - 1) / Kernels.LANES * Kernels.LANES;
            int values = seed % 3 == 0 ? 2 : seed % 3 == 1 ? 50 : Integer.MAX_VALUE;
            int[][] keys = new int[rows][];
            for (int r = 0; r < rows; r++) {
                keys[r] = random.ints(room).map(k -> k % values).toArray();
            }
            keys[random.nextInt(rows)][0] = Integer.MAX_VALUE;
            keys[random.nextInt(rows)][0] = Integer.MIN_VALUE;
            int low = seed % 4 == 0 ? 0 : random.nextInt((rows + 1) / 2);
            int high = rows - 1 - low;
            int[][] sorted = new int[columns][];
            for (int c = 0; c < columns; c++) {
                sorted[c] = ranks(keys, 0, rows - 1, c);
                Arrays.sort(sorted[c]);
            }
            for (Kernels kernels : new Kernels[] {plain, vector}) {
                int[] scratch = new int[Kernels.scratchFor(rows)];
                int[][] actual = copy(keys);
                kernels.sort(actual, low, high, columns, scratch);
                double[] sums = new double[room];
                kernels.sumOfRanks(copy(keys), low, high, columns, scratch, sums);
                for (int c = 0; c < columns; c++) {
                    double sum = 0;
                    for (int r = low; r <= high; r++) {
                        sum += Float.intBitsToFloat(PlainKernels.flip(sorted[c][r]));
                    }
                    assertThat(ranks(actual, low, high, c))
                            .as("column %d of %d rows, seed %d", c, rows, seed)
                            .isEqualTo(Arrays.copyOfRange(sorted[c], low, high + 1));
                    assertThat(sums[c])
                            .as("sum of column %d of %d rows, seed %d", c, rows, seed)
                            .isEqualTo(Double.valueOf(sum));
                }
            }
        }
    }

    private static int[][] copy(int[][] keys) {
        return Arrays.stream(keys).map(int[]::clone).toArray(int[][]::new);
    }

    private static int[] ranks(int[][] keys, int low, int high, int column) {
        return Arrays.stream(keys, low, high + 1).mapToInt(row -> row[column]).toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 16, 33, 1000})
    void windows(int length) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            float[][] x = rows(random, 3, length);
            double[] center = new double[length];
            double[] nearest = new double[length];
            double[] start = new double[length];
            double[] sums = random.doubles(length).toArray();
            for (int i = 0; i < length; i++) {
                center[i] = random.nextInt(5) == 0 ? x[0][i] : x[2][i] * 0.5;
                nearest[i] = random.nextInt(5) == 0 ? Double.POSITIVE_INFINITY : Math.abs(x[2][i]);
                start[i] = random.nextInt(7);
            }
            double[] nearest2 = nearest.clone();
            double[] start2 = start.clone();
            double[] sums2 = sums.clone();
            plain.chooseStart(x[0], x[1], center, 3, length, nearest, start);
            vector.chooseStart(x[0], x[1], center, 3, length, nearest2, start2);
            assertThat(nearest2).as("nearest, seed %d", seed).isEqualTo(nearest);
            assertThat(start2).as("start, seed %d", seed).isEqualTo(start);
            plain.addWindow(x[0], start, 4, 3, length, sums);
            vector.addWindow(x[0], start, 4, 3, length, sums2);
            assertThat(sums2).as("sums, seed %d", seed).isEqualTo(sums);
        }
    }

    @Test
    void keysOrderAsFloatsDo() {
        float[] ascending = {
            Float.NEGATIVE_INFINITY,
            -Float.MAX_VALUE,
            -1,
            -Float.MIN_VALUE,
            -0f,
            0f,
            Float.MIN_VALUE,
            1,
            Float.MAX_VALUE,
            Float.POSITIVE_INFINITY,
            Float.NaN
        };
        int[] keys = new int[ascending.length];
        plain.toKeys(ascending, 0, keys.length, keys);
        assertThat(keys).isSorted().doesNotHaveDuplicates();
    }

    private static float[][] rows(Random random, int n, int d) {
        return random.nextBoolean() ? Samples.hard(random, n, d) : Samples.normal(random, n, d);
    }
}
