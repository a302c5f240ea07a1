package dev.levee.estimation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Data for tests. */
final class Samples {
    private static final int SIZE = 240;

    private long state = 20261125;

    private Samples() {}

    /** The columns of {@link #reference}, whose generator is easily written in another language. */
    record Reference(
            double[][] x,
            double[] y,
            double[] d,
            double[] b,
            double[] z,
            double[] z2,
            int[] byFour,
            int[] c1,
            int[] c2) {
        List<EffectData.Column> covariates() {
            List<EffectData.Column> columns = new ArrayList<>();
            for (int j = 0; j < x.length; j++) {
                columns.add(new EffectData.Column("x" + j, x[j]));
            }
            return columns;
        }

        List<EffectData.Codes> folds() {
            return List.of(new EffectData.Codes("fold", byFour));
        }

        EffectData data(double[] treatment, double[] instrument) {
            return data(
                    List.of(new EffectData.Column("d", treatment)),
                    instrument == null
                            ? List.of()
                            : List.of(new EffectData.Column("z", instrument)));
        }

        EffectData data(List<EffectData.Column> treatments, List<EffectData.Column> instruments) {
            return new EffectData(
                    new EffectData.Column("y", y),
                    treatments,
                    instruments,
                    covariates(),
                    List.of(),
                    folds());
        }

        /** The columns d and b, each of which is a covariate while the other is looked at. */
        List<EffectData.Column> both() {
            return List.of(new EffectData.Column("d", d), new EffectData.Column("b", b));
        }

        /** Clusters in given folds, one column of each for each way. */
        EffectData clustered(List<int[]> clusters, List<int[]> folds) {
            return new EffectData(
                    new EffectData.Column("y", y),
                    List.of(new EffectData.Column("d", d)),
                    List.of(),
                    covariates(),
                    clusters.stream().map(each -> new EffectData.Codes("c", each)).toList(),
                    folds.stream().map(each -> new EffectData.Codes("fold", each)).toList());
        }
    }

    private double uniform() {
        state = (state * 1103515245 + 12345) % (1L << 31);
        return state / (double) (1L << 31);
    }

    /** 240 observations of a linear congruential generator. */
    static Reference reference() {
        Samples random = new Samples();
        double[][] x = new double[4][SIZE];
        double[] y = new double[SIZE];
        double[] d = new double[SIZE];
        double[] b = new double[SIZE];
        double[] z = new double[SIZE];
        double[] z2 = new double[SIZE];
        int[] byFour = new int[SIZE];
        int[] c1 = new int[SIZE];
        int[] c2 = new int[SIZE];
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < 4; j++) {
                x[j][i] = 3 * random.uniform() - 1.5;
            }
            x[3][i] = 1e4 * (x[3][i] + 2);
            z[i] = random.uniform() < 0.5 + 0.2 * x[0][i] ? 1 : 0;
            b[i] = random.uniform() < 0.35 + 0.3 * z[i] + 0.1 * x[1][i] ? 1 : 0;
            d[i] = 0.7 * x[0][i] - 0.4 * x[1][i] + 0.5 * z[i] + 2 * random.uniform() - 1;
            y[i] =
                    0.8 * d[i]
                            + 1.1 * b[i]
                            + x[0][i]
                            - 0.5 * x[2][i]
                            + 1e-4 * x[3][i]
                            + 2 * random.uniform()
                            - 1;
            byFour[i] = i % 4;
            z2[i] = Math.cos(0.37 * i) + 0.4 * d[i];
            c1[i] = i / 12;
            c2[i] = i % 12;
        }
        return new Reference(x, y, d, b, z, z2, byFour, c1, c2);
    }

    /** Y = θD + X₁ + noise, D = X₁/2 + noise, with further covariates that do not matter. */
    static EffectData partiallyLinear(int size, double theta, long seed) {
        Random random = new Random(seed);
        double[][] x = new double[3][size];
        double[] d = new double[size];
        double[] y = new double[size];
        for (int i = 0; i < size; i++) {
            for (double[] column : x) {
                column[i] = random.nextGaussian();
            }
            d[i] = x[0][i] / 2 + random.nextGaussian();
            y[i] = theta * d[i] + x[0][i] + random.nextGaussian();
        }
        return new EffectData(
                new EffectData.Column("y", y),
                List.of(new EffectData.Column("d", d)),
                List.of(),
                List.of(
                        new EffectData.Column("x0", x[0]),
                        new EffectData.Column("x1", x[1]),
                        new EffectData.Column("x2", x[2])),
                List.of(),
                List.of());
    }
}
