package dev.levee.gar.rules;

import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.Rule;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Minimum-diameter averaging: the mean of the n − f rows whose largest pairwise distance is least,
 * of such subsets the first in lexicographic order (Rousseeuw, "Multivariate estimation with high
 * breakdown point", 1985; El-Mhamdi et al., "Genuinely Distributed Byzantine Machine Learning",
 * PODC 2020).
 *
 * <p>The subsets are not enumerated. A diameter is enough if the pairs of rows that are farther
 * apart can be broken up by dropping f rows, a vertex cover; the least one is found by bisection.
 * The time is exponential in f only.
 */
public record Mda() implements Rule {
    @Override
    public String name() {
        return "mda";
    }

    @Override
    public int minimumRows(int f) {
        return 2 * f + 1;
    }

    @Override
    public String limit() {
        return "n ≥ 2f + 1";
    }

    @Override
    public Look look() {
        return Look.DISTANCES;
    }

    @Override
    public OptionalDouble varianceFactor(int rows, int f) {
        return OptionalDouble.of(2 * Math.sqrt(2) * f / (rows - f));
    }

    @Override
    public Step decide(int phase, RowMap mixed, Looked looked, Round round, RuleState state) {
        int n = round.rows();
        int[] chosen = leastDiameter(PairDistances.of(looked, n), round.f());
        return new Step.Reduce(
                RowMap.select(chosen, n),
                new Reduction.Mean(),
                RuleState.NONE,
                PairDistances.membership(chosen, n));
    }

    /**
     * The subset of least diameter.
     *
     * @param distances symmetric, none of them NaN
     * @param f number of rows to leave out
     * @return n − f rows in order
     */
    static int[] leastDiameter(double[][] distances, int f) {
        int n = distances.length;
        double[] diameters =
                Arrays.stream(distances)
                        .flatMapToDouble(Arrays::stream)
                        .sorted()
                        .distinct()
                        .toArray();
        boolean[] all = new boolean[n];
        Arrays.fill(all, true);
        int low = 0;
        int high = diameters.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (farther(distances, diameters[middle]).exists(all, f)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return first(distances, diameters[low], f);
    }

    /** The graph of the pairs farther apart than a diameter. */
    private static VertexCover farther(double[][] distances, double diameter) {
        VertexCover graph = new VertexCover(distances.length);
        for (int i = 0; i < distances.length; i++) {
            for (int j = i + 1; j < distances.length; j++) {
                if (distances[i][j] > diameter) {
                    graph.connect(i, j);
                }
            }
        }
        return graph;
    }

    /** Takes each row in turn if the others can still be completed to n − f within the diameter. */
    private static int[] first(double[][] distances, double diameter, int f) {
        int n = distances.length;
        VertexCover graph = farther(distances, diameter);
        boolean[] open = new boolean[n];
        Arrays.fill(open, true);
        int[] chosen = new int[n - f];
        int dropped = 0;
        int taken = 0;
        for (int i = 0; i < n && taken < chosen.length; i++) {
            if (!open[i]) {
                continue;
            }
            open[i] = false;
            boolean[] with = open.clone();
            int more = 0;
            for (int j = i + 1; j < n; j++) {
                if (with[j] && distances[i][j] > diameter) {
                    with[j] = false;
                    more++;
                }
            }
            if (dropped + more <= f && graph.exists(with, f - dropped - more)) {
                open = with;
                dropped += more;
                chosen[taken++] = i;
            } else {
                dropped++;
            }
        }
        return chosen;
    }
}
