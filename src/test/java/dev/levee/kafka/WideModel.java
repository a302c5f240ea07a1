package dev.levee.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.participant.Batches;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * A logistic regression wide enough for two blocks, and a few samples for it.
 *
 * @param dataset where these are
 */
record WideModel(String dataset, Model model, Slices slices) {
    private static final int FEATURES = 70_000;

    /** Writes the samples to a folder. */
    static WideModel in(Path directory) throws IOException {
        Path file = directory.resolve("samples");
        Files.writeString(file, samples());
        String dataset = "libsvm:" + file + "?features=" + FEATURES;
        Dataset data = Datasets.open(dataset, Datasets.Split.TRAIN);
        Model model = Models.open("logistic", data.shape(), data.classes());
        Slices slices = Slices.of(model.layout());
        assertThat(slices.count()).isEqualTo(2);
        return new WideModel(dataset, model, slices);
    }

    private static String samples() {
        Random random = new Random(3);
        StringBuilder text = new StringBuilder();
        for (int sample = 0; sample < 50; sample++) {
            text.append(sample % 2);
            for (int feature = 1; feature <= 10; feature++) {
                text.append(' ').append(feature * 6000).append(':').append(random.nextGaussian());
            }
            text.append('\n');
        }
        return text.toString();
    }

    float[] zeros() {
        return new float[slices.dimension()];
    }

    /** What a worker computes on its next batch, without momentum. */
    float[] gradient(Training training, int worker, float[] parameters, long round, long consumed) {
        try (Learner learner = model.newLearner()) {
            return learner.gradient(
                            parameters,
                            new Batches(training)
                                    .next(worker, consumed, training.data().batchSize()),
                            training.work().modelSeed(training.seed(), worker, round, 0))
                    .values();
        }
    }
}
