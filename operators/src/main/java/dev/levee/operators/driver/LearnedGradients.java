package dev.levee.operators.driver;

import dev.levee.connectors.Batch;
import dev.levee.connectors.Dataset;
import dev.levee.connectors.Datasets;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.operators.Training;
import dev.levee.operators.rounds.Sampler;
import dev.levee.operators.rounds.Workers;

import java.util.Arrays;

/**
 * Gradients as the workers of a job compute them: on batches of the training's data set, dealt as
 * its partition says, by its model's learner.
 */
public final class LearnedGradients implements GradientSource, AutoCloseable {
    private final Training training;
    private final Dataset data;
    private final Sampler[] samplers;
    private final Learner learner;

    /**
     * Opens the training's data set and a learner of its model.
     *
     * @throws IllegalArgumentException if the data set cannot be opened
     */
    public LearnedGradients(Training training) {
        this.training = training;
        data = Datasets.open(training.dataset(), Datasets.Split.TRAIN);
        int[] labels = new int[data.size()];
        Arrays.setAll(labels, data::label);
        int[][] shares =
                training.partition()
                        .deal(labels, data.classes(), training.workers(), training.seed());
        samplers = new Sampler[training.workers()];
        Arrays.setAll(samplers, w -> new Sampler(shares[w], training.seed(), w));
        learner = training.model().newLearner();
    }

    @Override
    public Gradient gradient(Workers.Task task) {
        int worker = task.worker();
        Batch batch =
                data.batch(samplers[worker].next(task.consumed(), task.settings().batchSize()));
        if (training.attacks(worker) && training.attack().flipsLabels()) {
            int last = data.classes() - 1;
            batch =
                    new Batch(
                            batch.features(),
                            Arrays.stream(batch.labels()).map(y -> last - y).toArray());
        }
        return learner.gradient(
                task.parameters(), batch, Sampler.modelSeed(training.seed(), worker, task.round()));
    }

    @Override
    public void close() {
        learner.close();
    }
}
