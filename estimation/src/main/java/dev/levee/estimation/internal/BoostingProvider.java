package dev.levee.estimation.internal;

import dev.levee.estimation.learner.Learner;
import dev.levee.estimation.learner.LearnerProvider;
import dev.levee.estimation.learner.Parameters;
import dev.levee.estimation.learner.Predictor;

import org.tribuo.regression.xgboost.XGBoostRegressionTrainer;
import org.tribuo.regression.xgboost.XGBoostRegressionTrainer.RegressionType;

import java.util.Arrays;
import java.util.Map;

/**
 * Creates the learner {@code boosting}: gradient boosted trees by XGBoost (Chen and Guestrin 2016)
 * through Tribuo, with squared error and one thread.
 */
public final class BoostingProvider implements LearnerProvider {
    private static final RegressionType OBJECTIVE = RegressionType.LINEAR;

    @Override
    public String name() {
        return "boosting";
    }

    /** Version 1 did not standardize the target. */
    @Override
    public int version() {
        return 2;
    }

    @Override
    public Learner create(Parameters parameters) {
        parameters.only("trees", "depth", "rate", "subsample", "features", "leaf");
        int trees = parameters.whole("trees", 100, 1, 100_000);
        int depth = parameters.whole("depth", 3, 1, 1000);
        double rate = parameters.number("rate", 0.1, 1e-9, 1);
        double subsample = parameters.number("subsample", 1, 1e-6, 1);
        double share = parameters.number("features", 1, 1e-6, 1);
        int leaf = parameters.whole("leaf", 1, 1, Integer.MAX_VALUE);
        return (features, target, seed) -> {
            Map<String, Object> settings =
                    Map.ofEntries(
                            Map.entry("objective", OBJECTIVE.paramName),
                            Map.entry("base_score", 0),
                            Map.entry("eta", rate),
                            Map.entry("gamma", 0),
                            Map.entry("max_depth", depth),
                            Map.entry("min_child_weight", leaf),
                            Map.entry("subsample", subsample),
                            Map.entry("colsample_bytree", share),
                            Map.entry("lambda", 1),
                            Map.entry("alpha", 0),
                            Map.entry("nthread", 1),
                            Map.entry("verbosity", 0),
                            // XGBoost takes a seed of only 32 bits.
                            Map.entry("seed", (seed ^ seed >>> 32) & Integer.MAX_VALUE));
            return fit(new XGBoostRegressionTrainer(OBJECTIVE, trees, settings), features, target);
        };
    }

    /**
     * Fits to the target with mean 0 and variance 1. XGBoost starts from the same base score for
     * every target, rounds targets to 32 bits, and makes no split whose gain is below 1e-6.
     */
    private static Predictor fit(
            XGBoostRegressionTrainer trainer, double[][] features, double[] target) {
        double mean = Arrays.stream(target).average().orElse(0);
        double variance =
                Arrays.stream(target).map(y -> (y - mean) * (y - mean)).average().orElse(0);
        double unit = variance > 0 ? Math.sqrt(variance) : 1;
        double[] standard = Arrays.stream(target).map(y -> (y - mean) / unit).toArray();
        try {
            Predictor fitted = Tribuo.fit(trainer, features, standard);
            return rows ->
                    Arrays.stream(fitted.predict(rows)).map(each -> mean + unit * each).toArray();
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "the learner boosting needs XGBoost's native library, which does not load on %s"
                            .formatted(System.getProperty("os.arch")),
                    e);
        }
    }
}
