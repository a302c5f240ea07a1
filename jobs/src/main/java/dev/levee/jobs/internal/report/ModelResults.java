package dev.levee.jobs.internal.report;

import dev.levee.connectors.data.Datasets;
import dev.levee.federated.FederatedRun;
import dev.levee.federated.images.ImageScorer;
import dev.levee.jobs.internal.report.summary.ImagesSummary;
import dev.levee.jobs.internal.report.summary.Sample;
import dev.levee.learners.FlatVector;
import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Score;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.training.Training;

import java.io.IOException;
import java.util.List;

/** Collects the results of a run that depend on the kind of its model. */
interface ModelResults {
    /**
     * Creates the collector for a training.
     *
     * @param directory the run's directory
     * @param network the user's own network for features by which images are scored; null for
     *     Levee's
     */
    static ModelResults of(Training training, String directory, String network) {
        return training.model() instanceof GenerativeModel model
                ? new Images(model, training.data().uri(), directory, network)
                : new Predictions(training);
    }

    /** Receives an evaluated model of the first server. */
    default void evaluated(long iteration, FlatVector parameters) throws IOException {}

    /** The generated images, null if the model generates none. */
    default ImagesSummary images() throws IOException {
        return null;
    }

    /** Samples with the final model's predictions; empty if the model predicts none. */
    default List<Sample> samples(FlatVector parameters) {
        return List.of();
    }

    /** Collects a generator's images. */
    final class Images implements ModelResults {
        private final GenerativeModel model;
        private final String data;
        private final String network;
        private final GeneratedImages images;

        /** Trained before the first images are scored. */
        private ImageScorer scorer;

        private Images(GenerativeModel model, String data, String directory, String network) {
            this.model = model;
            this.data = data;
            this.network = network;
            images = new GeneratedImages(directory);
        }

        @Override
        public void evaluated(long iteration, FlatVector parameters) throws IOException {
            if (scorer == null) {
                scorer = ImageScorer.train(data, network);
            }
            images.write(model, iteration, parameters.all(), scorer);
        }

        @Override
        public ImagesSummary images() throws IOException {
            return ImagesSummary.of(images.scores());
        }
    }

    /** Collects predictions of classes or numbers. */
    record Predictions(Training training) implements ModelResults {
        /**
         * Largest pipeline, in parameters, that predicts samples: each prediction reads all of
         * them.
         */
        private static final int MOST_ASKED = 1 << 23;

        @Override
        public List<Sample> samples(FlatVector parameters) {
            if (training.model() instanceof PipelinedModel && parameters.size() > MOST_ASKED) {
                return List.of();
            }
            Model model = FederatedRun.model(training);
            if (!model.scores().contains(Score.ACCURACY)) {
                return List.of();
            }
            try (Learner learner = model.newLearner()) {
                return Samples.of(
                        Datasets.open(training.data().uri(), Datasets.Split.TEST),
                        learner,
                        parameters);
            }
        }
    }
}
