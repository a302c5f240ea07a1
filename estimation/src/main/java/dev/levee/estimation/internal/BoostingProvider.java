package dev.levee.estimation.internal;

import dev.levee.estimation.learner.Learner;
import dev.levee.estimation.learner.LearnerProvider;
import dev.levee.estimation.learner.Parameters;
import dev.levee.estimation.learner.Predictor;

import org.tribuo.regression.xgboost.XGBoostRegressionTrainer;
import org.tribuo.regression.xgboost.XGBoostRegressionTrainer.RegressionType;

/**
 * Creates the learner {@code boosting}: gradient boosted trees by XGBoost (Chen and Guestrin 2016)
 * through Tribuo, with squared error and one thread.
 */
public final class BoostingProvider implements LearnerProvider {
    @Override
    public String name() {
        return "boosting";
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
            XGBoostRegressionTrainer trainer =
                    new XGBoostRegressionTrainer(
                            RegressionType.LINEAR,
                            trees,
                            rate,
                            0,
                            depth,
                            leaf,
                            subsample,
                            share,
                            1,
                            0,
                            1,
                            true,
                            // XGBoost takes a seed of only 32 bits.
                            (seed ^ seed >>> 32) & Integer.MAX_VALUE);
            return fit(trainer, features, target);
        };
    }

    private static Predictor fit(
            XGBoostRegressionTrainer trainer, double[][] features, double[] target) {
        try {
            return Tribuo.fit(trainer, features, target);
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "the learner boosting needs XGBoost's native library, which does not load on %s"
                            .formatted(System.getProperty("os.arch")),
                    e);
        }
    }
}
