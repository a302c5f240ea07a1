package dev.levee.gar.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.Samples;
import dev.levee.gar.block.BlockRows;
import dev.levee.gar.internal.vector.VectorKernels;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Random;

/** Mixtures formed together have the bits of sums that skip weights of zero. */
class DenseMixerTest {
    private static final List<Reference> REFERENCES =
            List.of(Reference.ORIGIN, Reference.PREVIOUS, Reference.MEDIAN);

    /** The last row of the table needs more memory than a thread keeps. */
    @ParameterizedTest
    @CsvSource({"4, 1", "5, 15", "9, 16", "10, 33", "11, 1000", "20, 4096", "50, 700", "2100, 49"})
    void sumsAreThoseOfOneMixture(int n, int length) {
        for (int seed = 0; seed < (n > 100 ? 1 : 12); seed++) {
            Random random = new Random(seed);
            float[][] rows =
                    seed % 3 == 2
                            ? Samples.hard(random, n, length)
                            : Samples.normal(random, n, length);
            rows[1][0] = -0f;
            // In the first round, there is no previous vector.
            float[] previous = seed % 4 == 0 ? null : Samples.normal(random, 1, length)[0];
            int outputs = n > 100 ? 6 : n;
            double[][] weights = new double[outputs][n + REFERENCES.size()];
            for (int o = 0; o < outputs; o++) {
                for (int i = 0; i < weights[o].length - 1; i++) {
                    weights[o][i] = random.nextInt(5) == 0 ? 0 : 1.0 / (1 + random.nextInt(3));
                }
                weights[o][3 % n] = 0; // a row that no output reads
            }
            boolean copied = seed % 2 == 1;
            if (copied) {
                rows[3 % n][length - 1] = Float.NaN;
                weights[0] = new double[weights[0].length];
                weights[0][2] = 1;
            }
            for (Kernels kernels : new Kernels[] {new PlainKernels(), new VectorKernels()}) {
                Points points =
                        new Points(
                                kernels,
                                new RowMap(weights),
                                RowReader.of(new BlockRows(rows)),
                                previous,
                                REFERENCES,
                                0,
                                length);
                points.moveTo(0, length);
                Rows mixed = points.chunk(length);
                for (int o = 0; o < outputs; o++) {
                    float[] own = new float[length];
                    System.arraycopy(mixed.arrays()[o], mixed.starts()[o], own, 0, length);
                    assertThat(own)
                            .as("output %d of %d, seed %d", o, n, seed)
                            .isEqualTo(
                                    o == 0 && copied ? rows[2] : sum(weights[o], rows, previous));
                }
            }
        }
    }

    private static float[] sum(double[] weights, float[][] rows, float[] previous) {
        float[] out = new float[rows[0].length];
        for (int i = 0; i < out.length; i++) {
            double sum = 0;
            for (int r = 0; r < rows.length; r++) {
                sum += weights[r] == 0 ? 0 : weights[r] * rows[r][i];
            }
            double last = previous == null ? 0 : previous[i];
            out[i] = (float) (sum + weights[rows.length + 1] * last);
        }
        return out;
    }
}
