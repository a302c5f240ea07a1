package dev.levee.benchmarks.protocol;

import dev.levee.benchmarks.Machine;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Rules;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.participant.Batches;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.testing.network.AsynchronousRun;
import dev.levee.operators.testing.network.AsynchronousRun.Outcome;
import dev.levee.operators.testing.network.Problem;
import dev.levee.operators.testing.network.Setting;
import dev.levee.operators.testing.network.Transfers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Measures what ordered transfers and sums in transit save: the virtual time until asynchronous
 * training over slow links reaches an accuracy. Of twenty workers, a tenth are ten times as slow,
 * and not always the same ones. An update takes a second on a link. Each method uses the best of
 * several learning rates and bounds, by the median over seeds.
 */
public final class OrderedTransfers {
    private static final int WORKERS = 20;
    private static final int BATCH = 16;
    private static final int SEEDS = 5;
    private static final double LIMIT = 20_000;
    private static final double[] RATES = {0.02, 0.04, 0.08, 0.16, 0.32};
    private static final int[] BOUNDS = {6, 10, 14, 20, 40};
    private static final String DATA = "strokes:?train=4000&test=400&seed=1";

    private OrderedTransfers() {}

    /** Logistic regression, whose error is the share of misclassified test samples. */
    private static final class Logistic implements Problem {
        private final Dataset test = Datasets.open(DATA, Datasets.Split.TEST);
        private final Model model = Models.open("logistic", test.shape(), test.classes());
        private final Learner learner = model.newLearner();
        private final Batches batches;

        private Logistic() {
            Training training =
                    new TrainingBuilder(
                                    "transfers", DATA, model, Rules.parse("average"), WORKERS, 0)
                            .batchSize(BATCH)
                            .build();
            batches = new Batches(training);
        }

        @Override
        public float[] initial() {
            return model.initialParameters(1);
        }

        @Override
        public float[] gradient(float[] parameters, int worker, long draw) {
            return learner.gradient(parameters, batches.next(worker, draw * BATCH, BATCH), draw)
                    .values();
        }

        @Override
        public double loss(float[] parameters) {
            return 1 - learner.evaluate(parameters, test).accuracy();
        }
    }

    private record Best(double learningRate, int bound, Outcome outcome) {}

    /**
     * Runs the benchmark.
     *
     * @param args accuracies to reach; 0.9 by default
     */
    public static void main(String[] args) {
        Machine.print();
        Problem problem = new Logistic();
        List<String> accuracies = args.length > 0 ? List.of(args) : List.of("0.9");
        for (String accuracy : accuracies) {
            double wrong = 1 - Double.parseDouble(accuracy);
            for (double compute : new double[] {1, 5}) {
                System.out.printf(
                        Locale.ROOT,
                        "accuracy %s, computing takes %s s%n%-10s %6s %6s %10s %8s %8s %8s %8s %11s"
                                + " %8s%n",
                        accuracy,
                        compute,
                        "transfers",
                        "rate",
                        "bound",
                        "seconds",
                        "applied",
                        "dropped",
                        "wasted",
                        "delay",
                        "megabytes",
                        "ratio");
                double first = 0;
                for (Transfers transfers : Transfers.values()) {
                    Best best = best(problem, transfers, compute, wrong);
                    first = first == 0 ? best.outcome().seconds() : first;
                    print(transfers.name(), best, first);
                }
            }
        }
    }

    private static Best best(Problem problem, Transfers transfers, double compute, double wrong) {
        Best best = null;
        boolean bounded = transfers != Transfers.UNORDERED;
        for (int bound : bounded ? BOUNDS : new int[] {Integer.MAX_VALUE}) {
            for (double rate : RATES) {
                List<Outcome> outcomes = new ArrayList<>();
                double limit = best == null ? LIMIT : 2 * best.outcome().seconds();
                for (long seed = 1; seed <= SEEDS; seed++) {
                    Setting setting =
                            new Setting(WORKERS, compute, 1_000_000, 1e6, 0.1, 10, 50, seed);
                    outcomes.add(
                            new AsynchronousRun(setting, transfers, problem, bound, rate)
                                    .run(wrong, Math.min(LIMIT, limit)));
                }
                outcomes.sort(Comparator.comparingDouble(Outcome::seconds));
                Outcome median = outcomes.get(SEEDS / 2);
                if (best == null || median.seconds() < best.outcome().seconds()) {
                    best = new Best(rate, bound, median);
                }
            }
        }
        return best;
    }

    private static void print(String name, Best best, double first) {
        Outcome outcome = best.outcome();
        System.out.printf(
                Locale.ROOT,
                "%-10s %6s %6s %10.0f %8d %8d %8d %8.1f %11.0f %8.2f%n",
                name.toLowerCase(Locale.ROOT),
                best.learningRate(),
                best.bound() == Integer.MAX_VALUE ? "none" : best.bound(),
                outcome.seconds(),
                outcome.applied(),
                outcome.dropped(),
                outcome.wasted(),
                outcome.meanDelay(),
                outcome.megabytes(),
                first / outcome.seconds());
    }
}
