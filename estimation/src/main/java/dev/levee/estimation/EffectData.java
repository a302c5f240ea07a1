package dev.levee.estimation;

import java.util.List;

/**
 * Columns of n observations and their roles. Arrays are not copied and must not change.
 *
 * @param outcome Y
 * @param treatments D, one or more columns; when the effect of one is estimated, the others are
 *     covariates
 * @param instruments Z, any number of columns
 * @param covariates X, at least one column
 * @param clusters none, one or two columns of codes from 0
 * @param given each observation's fold, the same in all repetitions; empty if folds are drawn, two
 *     columns for two-way clusters
 */
public record EffectData(
        Column outcome,
        List<Column> treatments,
        List<Column> instruments,
        List<Column> covariates,
        List<Codes> clusters,
        List<Codes> given) {
    /**
     * A named column of numbers.
     *
     * @param name the name for users
     * @param values n numbers
     */
    public record Column(String name, double[] values) {}

    /**
     * A named column of codes.
     *
     * @param name the name for users
     * @param values n codes, from 0 without gaps
     */
    public record Codes(String name, int[] values) {
        /** Number of different codes. */
        public int count() {
            int most = -1;
            for (int value : values) {
                most = Math.max(most, value);
            }
            return most + 1;
        }
    }

    /** Checks that all columns have the same length. */
    public EffectData {
        treatments = List.copyOf(treatments);
        instruments = List.copyOf(instruments);
        covariates = List.copyOf(covariates);
        clusters = List.copyOf(clusters);
        given = List.copyOf(given);
        int n = outcome.values().length;
        for (List<Column> columns : List.of(treatments, instruments, covariates)) {
            for (Column each : columns) {
                requireLength(each.name(), each.values().length, n);
            }
        }
        for (List<Codes> columns : List.of(clusters, given)) {
            for (Codes each : columns) {
                requireLength(each.name(), each.values().length, n);
            }
        }
    }

    private static void requireLength(String name, int length, int n) {
        if (length != n) {
            throw new IllegalArgumentException(
                    "%s has %d values, but the outcome has %d".formatted(name, length, n));
        }
    }

    /** Number of observations. */
    public int size() {
        return outcome.values().length;
    }

    /**
     * The column that defines the arms and is the target of M: the first instrument, or the
     * treatment if there is no instrument.
     */
    public Column assignment(int treatment) {
        return instruments.isEmpty() ? treatments.get(treatment) : instruments.get(0);
    }

    /** The target of a function M. */
    public Column assignment(int treatment, NuisanceFunction function) {
        return instruments.isEmpty()
                ? treatments.get(treatment)
                : instruments.get(function.instrument());
    }

    /** The covariates of some observations, followed by the other treatments. */
    public double[][] features(int treatment, int[] observations) {
        int p = covariates.size();
        double[][] rows = new double[observations.length][p + treatments.size() - 1];
        for (int j = 0; j < p; j++) {
            copy(covariates.get(j).values(), observations, rows, j);
        }
        int next = p;
        for (int t = 0; t < treatments.size(); t++) {
            if (t != treatment) {
                copy(treatments.get(t).values(), observations, rows, next++);
            }
        }
        return rows;
    }

    private static void copy(double[] column, int[] observations, double[][] rows, int to) {
        for (int i = 0; i < observations.length; i++) {
            rows[i][to] = column[observations[i]];
        }
    }
}
