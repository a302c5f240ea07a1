package dev.levee.federated;

import dev.levee.connectors.data.Partition;
import dev.levee.learners.Gradient;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Segment;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.testing.GradientSource;
import dev.levee.operators.testing.driver.RoundDriver;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One parameter that starts at 8 and two devices: device k has the loss c_k·(w − b_k)²/2. By
 * default device 0 has one batch of samples and device 1 has three.
 *
 * @param curvatures c
 * @param optima b
 */
record TwoParabolas(List<Integer> curvatures, List<Integer> optima)
        implements Model, GradientSource {
    private static final int BATCH = 8;

    @Override
    public String name() {
        return "parabolas";
    }

    @Override
    public Layout layout() {
        return new Layout(List.of(new Segment("x", new long[] {1}, 0, true)));
    }

    @Override
    public float[] initialParameters(long seed) {
        return new float[] {8};
    }

    @Override
    public Learner newLearner() {
        throw new UnsupportedOperationException("the driver has its gradients from elsewhere");
    }

    @Override
    public Gradient gradient(Work.Task task) {
        return gradient(task, task.parameters(), 0);
    }

    @Override
    public Gradient gradient(Work.Task task, float[] parameters, int step) {
        float[] gradient = new float[parameters.length];
        int curvature = curvatures.get(task.worker());
        float distance = parameters[0] - optima.get(task.worker());
        gradient[0] = curvature * distance;
        return new Gradient(gradient, 0.5 * curvature * distance * distance);
    }

    /** A run over both devices. */
    TrainingBuilder training(long rounds) {
        return FederatedRuns.run(rounds)
                .workers(2)
                .batchSize(BATCH)
                .partition(new Unequal())
                .model(this);
    }

    /** The parameter after so many rounds. */
    float after(long rounds, Federation federation) {
        return parameters(federation.of(training(rounds).build()))[0];
    }

    /** The parameter, and what travels behind it. */
    float[] parameters(Training training) {
        return RoundDriver.of(training, 1).gradients(this).run().parameters();
    }

    private record Unequal() implements Partition {
        @Override
        public String name() {
            return "unequal";
        }

        @Override
        public int[][] deal(int[] labels, int classes, int workers, long seed) {
            return new int[][] {
                IntStream.range(0, BATCH).toArray(), IntStream.range(BATCH, 4 * BATCH).toArray()
            };
        }
    }
}
