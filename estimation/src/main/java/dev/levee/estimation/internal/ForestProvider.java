package dev.levee.estimation.internal;

import dev.levee.estimation.learner.Learner;
import dev.levee.estimation.learner.LearnerProvider;
import dev.levee.estimation.learner.Parameters;
import dev.levee.estimation.learner.Predictor;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Creates the learner {@code forest}: a random forest of regression trees (Breiman 2001). Splits
 * minimize the variance. For a target of 0 and 1, the variance is half of the Gini impurity, so the
 * forest predicts probabilities. Tribuo's forest is not used, because its search for splits of
 * continuous features takes time quadratic in the number of rows.
 */
public final class ForestProvider implements LearnerProvider {
    @Override
    public String name() {
        return "forest";
    }

    /** Version 1 cut a column on one side only of a value that fills a bin. */
    @Override
    public int version() {
        return 2;
    }

    @Override
    public Learner create(Parameters parameters) {
        parameters.only("trees", "depth", "leaf", "features");
        int trees = parameters.whole("trees", 500, 1, 100_000);
        int depth = parameters.whole("depth", 5, 1, 64);
        int leaf = parameters.whole("leaf", 2, 1, 1_000_000_000);
        double share = parameters.number("features", 1.0 / 3, 1e-6, 1);
        return (features, target, seed) -> fit(features, target, seed, trees, depth, leaf, share);
    }

    private static Predictor fit(
            double[][] features,
            double[] target,
            long seed,
            int trees,
            int depth,
            int leaf,
            double share) {
        double mean = Arrays.stream(target).average().orElse(0);
        // Center the target, so that sums of squares stay precise if the mean is far from zero.
        double[] centered = Arrays.stream(target).map(each -> each - mean).toArray();
        int considered = (int) Math.max(1, Math.round(share * features[0].length));
        TreeGrower grower =
                new TreeGrower(
                        Bins.of(features),
                        centered,
                        depth,
                        leaf,
                        considered,
                        new SplittableRandom(seed));
        Tree[] forest = new Tree[trees];
        for (int t = 0; t < trees; t++) {
            Learner.requireRunning();
            forest[t] = grower.grow();
        }
        return rows -> predict(forest, mean, rows);
    }

    private static double[] predict(Tree[] forest, double mean, double[][] rows) {
        double[] values = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            double sum = 0;
            for (Tree tree : forest) {
                sum += tree.predict(rows[i]);
            }
            values[i] = mean + sum / forest.length;
        }
        return values;
    }
}
