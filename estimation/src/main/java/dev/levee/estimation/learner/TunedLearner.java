package dev.levee.estimation.learner;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Chooses among learners by the squared error of cross-validation within the training sample, then
 * fits the chosen learner on the whole sample. Ties go to the first learner.
 */
final class TunedLearner implements Learner {
    private static final int FOLDS = 5;

    private final List<Learner> candidates;

    TunedLearner(List<Learner> candidates) {
        this.candidates = List.copyOf(candidates);
    }

    @Override
    public Predictor fit(double[][] features, double[] target, long seed) {
        int[] fold = folds(target.length, seed);
        Learner best = null;
        double least = Double.POSITIVE_INFINITY;
        for (Learner candidate : candidates) {
            double error = error(candidate, features, target, fold, seed);
            if (best == null || error < least) {
                best = candidate;
                least = error;
            }
        }
        return best.fit(features, target, seed);
    }

    @Override
    public void check() {
        candidates.forEach(Learner::check);
    }

    @Override
    public void close() {
        candidates.forEach(Learner::close);
    }

    private static int[] folds(int size, long seed) {
        int[] fold = new int[size];
        for (int i = 0; i < size; i++) {
            fold[i] = i % FOLDS;
        }
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = size - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int held = fold[i];
            fold[i] = fold[other];
            fold[other] = held;
        }
        return fold;
    }

    private static double error(
            Learner learner, double[][] features, double[] target, int[] fold, long seed) {
        double sum = 0;
        for (int k = 0; k < FOLDS; k++) {
            Learner.requireRunning();
            List<double[]> train = new ArrayList<>();
            List<double[]> test = new ArrayList<>();
            double[] fitted = new double[target.length];
            double[] held = new double[target.length];
            for (int i = 0; i < target.length; i++) {
                if (fold[i] == k) {
                    held[test.size()] = target[i];
                    test.add(features[i]);
                } else {
                    fitted[train.size()] = target[i];
                    train.add(features[i]);
                }
            }
            if (test.isEmpty() || train.isEmpty()) {
                continue; // fewer samples than folds
            }
            double[] predicted =
                    learner.fit(
                                    train.toArray(double[][]::new),
                                    Arrays.copyOf(fitted, train.size()),
                                    seed)
                            .predict(test.toArray(double[][]::new));
            for (int i = 0; i < predicted.length; i++) {
                sum += (predicted[i] - held[i]) * (predicted[i] - held[i]);
            }
        }
        return sum;
    }
}
