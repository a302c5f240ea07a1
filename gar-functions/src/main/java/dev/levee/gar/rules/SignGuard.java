package dev.levee.gar.rules;

import dev.levee.gar.Arguments;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Sample;
import dev.levee.gar.Step;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Two filters, then the mean of the rows that pass both, clipped to the median norm (Xu, Huang,
 * Song, Lan, "Byzantine-Robust Federated Learning through Collaborative Malicious Gradient
 * Filtering", ICDCS 2022, algorithm 2). Norm: rows within [0.1, 3] times the median norm pass.
 * Sign: each row's shares of positive, zero and negative values on a seeded tenth of the
 * coordinates are clustered by mean shift, and the largest cluster passes; the bandwidth is the
 * mean distance to the ⌊n/2⌋-th nearest, as in the authors' code.
 *
 * <p>Two variants add a similarity to the shares. {@code similarity=cosine}: the median of the
 * row's cosines with all rows, clamped to [0, M] and divided by 5M, where M is the median of these
 * medians. {@code similarity=distance}: 0.2 if the row's sum of distances to its ⌊n/2⌋ nearest
 * rows, itself included, is at least 1.1 times the median of these sums, otherwise 0. The authors'
 * code does this in the first rounds and later compares with the previous aggregate.
 *
 * <p>Rows with a non-finite norm do not pass and are ignored in the median. If no row passes both
 * filters, the rows that pass the norm filter are averaged. If no row passes that filter, every
 * norm is infinite, and so is the result. Weighted rows count by their weights.
 *
 * @param similarity the feature that is added to the shares
 */
public record SignGuard(Similarity similarity) implements MajorityRule, WeightedRule {
    /** The feature that is clustered in addition to signs. */
    public enum Similarity {
        NONE,
        COSINE,
        DISTANCE
    }

    private static final double LEAST = 0.1;
    private static final double MOST = 3;
    private static final double SHARE = 0.1;
    private static final double QUANTILE = 0.5;

    /**
     * The authors' weight of similarity, and the factor of the median from which a sum of distances
     * counts as far.
     */
    private static final double SIMILARITY = 0.2;

    private static final double FAR = 1.1;

    private static final Look COSINES = new Look(true, true, true, List.of(Reference.ORIGIN));
    private static final Look DISTANCES = new Look(true, true, false, List.of(Reference.ORIGIN));

    private static final Look SIGNS =
            new Look(
                    false,
                    false,
                    false,
                    true,
                    List.of(Reference.ORIGIN, Reference.ORIGIN),
                    Sample.share(SHARE, 0));

    /** Kinds of notes between the looks: a row's factor and its similarity. */
    private static final int NOTES = 2;

    /** The rule by signs and norms alone. */
    public SignGuard() {
        this(Similarity.NONE);
    }

    /** Reads {@code similarity}. */
    public static SignGuard of(Arguments arguments) {
        String text = arguments.word("similarity", "none");
        return new SignGuard(
                switch (text) {
                    case "none" -> Similarity.NONE;
                    case "cosine" -> Similarity.COSINE;
                    case "distance" -> Similarity.DISTANCE;
                    default ->
                            throw new IllegalArgumentException(
                                    "sign-guard: similarity must be none, cosine or distance, got "
                                            + text);
                });
    }

    @Override
    public String name() {
        return similarity == Similarity.NONE
                ? "sign-guard"
                : "sign-guard(similarity=" + similarity.name().toLowerCase(Locale.ROOT) + ")";
    }

    @Override
    public Look look() {
        return switch (similarity) {
            case NONE -> Look.NORMS;
            case COSINE -> COSINES;
            case DISTANCE -> DISTANCES;
        };
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        return phase == 0 ? byNorm(looked, round.rows()) : bySign(mixed, looked, round);
    }

    /** Filters rows by norm and notes each row's clipping factor, 0 for rows that do not pass. */
    private Step byNorm(LookResult looked, int n) {
        double[] norms = Norms.of(looked, n);
        double median = Norms.median(norms);
        double[] factors = new double[n];
        for (int i = 0; i < n; i++) {
            boolean within = norms[i] >= LEAST * median && norms[i] <= MOST * median;
            factors[i] = within ? Norms.clip(norms[i], median) : 0;
        }
        double[] similar =
                switch (similarity) {
                    case NONE -> new double[n];
                    case COSINE -> cosines(looked, norms);
                    case DISTANCE -> distances(looked, n);
                };
        return RowNotes.lookAgain(RowMap.identity(n, n), SIGNS, factors, similar);
    }

    private static double[] cosines(LookResult looked, double[] norms) {
        int n = norms.length;
        double[] medians = new double[n];
        double[] cosines = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double cosine = i == j ? 1 : looked.innerProduct(i, j) / norms[i] / norms[j];
                cosines[j] = Double.isFinite(cosine) ? cosine : 0;
            }
            medians[i] = Norms.median(cosines);
        }
        double most = Math.max(0, Norms.median(medians));
        return Arrays.stream(medians)
                .map(m -> most == 0 ? 0 : SIMILARITY * Math.max(0, Math.min(m, most)) / most)
                .toArray();
    }

    private static double[] distances(LookResult looked, int n) {
        double[] sums = new double[n];
        double[] others = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                others[j] = Ranking.worst(Math.sqrt(looked.squaredDistance(i, j)));
            }
            Arrays.sort(others);
            sums[i] = Arrays.stream(others, 0, Math.max(1, n / 2)).sum();
        }
        double median = Norms.median(sums);
        return Arrays.stream(sums)
                .map(sum -> sum >= FAR * median && sum > 0 ? SIMILARITY : 0)
                .toArray();
    }

    private static Step bySign(RowMap mixed, LookResult looked, Round round) {
        double[] factors = RowNotes.of(mixed, 0, NOTES);
        int n = factors.length;
        double[][] shares = shares(looked.signs(), RowNotes.of(mixed, 1, NOTES));
        int[] clusters = MeanShift.clusters(shares, MeanShift.bandwidth(shares, QUANTILE));
        int largest = largest(clusters);
        int[] passed = rows(n, i -> factors[i] > 0 && clusters[i] == largest);
        if (passed.length == 0) {
            passed = rows(n, i -> factors[i] > 0);
        }
        if (passed.length == 0) {
            passed = rows(n, i -> true);
            Arrays.fill(factors, 1);
        }
        double[][] weights = new double[passed.length][n];
        for (int o = 0; o < passed.length; o++) {
            weights[o][passed[o]] = factors[passed[o]];
        }
        RowMap map =
                RowWeights.scale(new RowMap(weights), passed, round)
                        .after(RowNotes.rows(mixed, NOTES));
        double[] positive = Arrays.stream(shares).mapToDouble(row -> row[0]).toArray();
        return new Step.Reduce(map, new Reduction.Mean(), RuleState.NONE, positive);
    }

    /**
     * The features of each row: its shares of the sampled coordinates and its similarity. The
     * shares are 0 if no coordinate was sampled.
     */
    private static double[][] shares(double[] signs, double[] similar) {
        int n = similar.length;
        double drawn = 0;
        for (int i = 0; i < n; i++) {
            drawn = Math.max(drawn, signs[3 * i] + signs[3 * i + 1] + signs[3 * i + 2]);
        }
        double[][] shares = new double[n][4];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 3 && drawn > 0; k++) {
                shares[i][k] = signs[3 * i + k] / drawn;
            }
            shares[i][3] = similar[i];
        }
        return shares;
    }

    private static int largest(int[] clusters) {
        int[] sizes = new int[clusters.length];
        int largest = 0;
        for (int cluster : clusters) {
            if (cluster != MeanShift.NONE) {
                sizes[cluster]++;
            }
        }
        for (int c = 1; c < sizes.length; c++) {
            largest = sizes[c] > sizes[largest] ? c : largest;
        }
        return largest;
    }

    private static int[] rows(int n, IntPredicate chosen) {
        return IntStream.range(0, n).filter(chosen).toArray();
    }
}
