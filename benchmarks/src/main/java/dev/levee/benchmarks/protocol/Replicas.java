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
import dev.levee.operators.rounds.transfer.ReplicaBound;
import dev.levee.operators.rounds.transfer.ReplicaBound.Due;

import java.util.Arrays;
import java.util.Locale;

/**
 * Compares a replica that stays within a distance of the primary with one that receives every
 * update: the bytes sent, and the largest distance, for logistic regression with momentum 0 and
 * 0.9.
 */
public final class Replicas {
    private static final String DATA = "strokes:?train=4000&test=1000&seed=1";
    private static final int UPDATES = 2000;
    private static final int BATCH = 16;
    private static final double[] SHARES = {0, 0.001, 0.01, 0.1, 1};

    private Replicas() {}

    /** Runs the benchmark. */
    public static void main(String[] args) {
        Machine.print();
        System.out.println("momentum  bound/norm  sendings  bytes of full  farthest/bound");
        for (double momentum : new double[] {0, 0.9}) {
            double norm = run(momentum, Double.POSITIVE_INFINITY).norm();
            for (double share : SHARES) {
                Replicated run = run(momentum, share * norm);
                System.out.printf(
                        Locale.ROOT,
                        "%8s  %10s  %8d  %13.3f  %14s%n",
                        momentum,
                        share,
                        run.sendings(),
                        (double) run.vectors() / UPDATES,
                        share == 0 ? "-" : "%.2f".formatted(run.farthest() / (share * norm)));
            }
        }
    }

    private record Replicated(double norm, int sendings, int vectors, double farthest) {}

    private static Replicated run(double momentum, double distance) {
        Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
        Model model = Models.open("logistic", data.shape(), data.classes());
        Training training =
                new TrainingBuilder("replicas", DATA, model, Rules.parse("average"), 1, 0)
                        .batchSize(BATCH)
                        .build();
        Batches batches = new Batches(training);
        double rate = 0.1 * (1 - momentum);
        ReplicaBound bound = new ReplicaBound(distance, rate, momentum);
        float[] primary = model.initialParameters(1);
        double[] moved = new double[primary.length];
        double[] lag = new double[primary.length];
        double[] lagged = new double[primary.length];
        int sendings = 0;
        int vectors = 0;
        double farthest = 0;
        try (Learner learner = model.newLearner()) {
            for (int update = 0; update < UPDATES; update++) {
                float[] gradient =
                        learner.gradient(
                                        primary,
                                        batches.next(0, (long) update * BATCH, BATCH),
                                        update)
                                .values();
                double squares = 0;
                for (float each : gradient) {
                    squares += (double) each * each;
                }
                Due due = bound.applying(Math.sqrt(squares));
                boolean now = due != Due.NOTHING;
                if (now) {
                    sendings++;
                    vectors += due == Due.STATE && momentum > 0 ? 2 : 1;
                }
                if (due == Due.STATE) {
                    Arrays.fill(lag, 0);
                    Arrays.fill(lagged, 0);
                }
                double far = 0;
                for (int i = 0; i < primary.length; i++) {
                    moved[i] = momentum * moved[i] + gradient[i];
                    lagged[i] = momentum * lagged[i] + (now ? 0 : gradient[i]);
                    lag[i] += rate * lagged[i];
                    primary[i] -= (float) (rate * moved[i]);
                    far += lag[i] * lag[i];
                }
                farthest = Math.max(farthest, Math.sqrt(far));
            }
        }
        double norm = 0;
        for (float each : primary) {
            norm += (double) each * each;
        }
        return new Replicated(Math.sqrt(norm), sendings, vectors, farthest);
    }
}
