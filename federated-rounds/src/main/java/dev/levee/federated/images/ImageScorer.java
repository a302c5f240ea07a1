package dev.levee.federated.images;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.layers.FeatureClassifier;
import dev.levee.learners.layers.FeatureFile;
import dev.levee.learners.layers.Forward;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.optimizer.Position;
import dev.levee.operators.rounds.participant.Sampler;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Compares generated images with the training samples of a data set, by the features of a {@link
 * FeatureClassifier} that it trains on these samples: three epochs with batches of 50 and Adam with
 * step size 0.001. The same data give the same network for any seed of the run, so scores of runs
 * on the same data are comparable. Distances may instead use the features of a {@link FeatureFile}.
 */
public final class ImageScorer {
    /** Fewest images for a score; with fewer, random variation makes the distance too large. */
    public static final int SAMPLES = 2048;

    private static final int PASSES = 3;
    private static final int BATCH = 50;
    private static final double RATE = 1e-3;
    private static final long SEED = 1;

    private final FeatureClassifier classifier;
    private final float[] parameters;
    private final int count;
    private final double accuracy;
    private final FeatureFile own;
    private final Moments real;

    private ImageScorer(
            FeatureClassifier classifier,
            float[] parameters,
            int count,
            double accuracy,
            FeatureFile own,
            float[] real) {
        this.classifier = classifier;
        this.parameters = parameters;
        this.count = count;
        this.accuracy = accuracy;
        this.own = own;
        int pixels = Arrays.stream(classifier.shape()).reduce(1, Math::multiplyExact);
        int images = real.length / pixels;
        try (Forward features = newFeatures()) {
            this.real = Moments.of(features.outputs(real, images), images);
        }
    }

    /**
     * Trains a network on a data set, which takes some seconds.
     *
     * @param uri the uri of images
     * @throws IllegalArgumentException if the samples are not images, or fewer than 2; one sentence
     */
    public static ImageScorer train(String uri) {
        return train(uri, null);
    }

    /**
     * The same with the user's own features; the trained network still determines the class of an
     * image.
     *
     * @param file path of a {@link FeatureFile}, null for the features of that network
     * @throws IllegalArgumentException as above, or if the file has no features of these images
     */
    public static ImageScorer train(String uri, String file) {
        Dataset data = Datasets.open(uri, Datasets.Split.TRAIN);
        FeatureClassifier classifier = FeatureClassifier.of(data.shape(), data.classes());
        if (data.size() < 2) {
            throw new IllegalArgumentException(
                    "%s has only %d samples to compare images with".formatted(uri, data.size()));
        }
        Model model = classifier.model();
        float[] parameters = model.initialParameters(SEED);
        double accuracy;
        try (Learner learner = model.newLearner()) {
            parameters = fit(model, parameters, learner, data);
            Dataset test = Datasets.open(uri, Datasets.Split.TEST);
            accuracy = learner.evaluate(parameters, test).accuracy();
        }
        int taken = Math.min(2 * SAMPLES, data.size());
        // Takes samples from the whole data set, which may be sorted by class.
        int[] indexes =
                IntStream.range(0, taken)
                        .map(i -> (int) ((long) i * data.size() / taken))
                        .toArray();
        return new ImageScorer(
                classifier,
                parameters,
                data.classes(),
                accuracy,
                file == null ? null : FeatureFile.of(file, data.shape()),
                data.batch(indexes).features());
    }

    private static float[] fit(Model model, float[] start, Learner learner, Dataset data) {
        Sampler sampler = new Sampler(IntStream.range(0, data.size()).toArray(), SEED, 0);
        Optimizer adam = Optimizer.of(OptimizerKind.ADAM, 0);
        int trainable = model.layout().trainable();
        Position now = new Position(start, new float[adam.moments()][trainable]);
        long steps = -Math.floorDiv(-(long) PASSES * data.size(), (long) BATCH);
        for (long step = 0; step < steps; step++) {
            int[] batch = sampler.next(step * BATCH, BATCH);
            float[] gradient = learner.gradient(now.x(), data.batch(batch), step).values();
            Position next = new Position(now.x().clone(), now.moments());
            adam.step(now, gradient, trainable, step, RATE, next);
            now = next;
        }
        return now.x();
    }

    private Forward newFeatures() {
        return own == null ? classifier.newFeatures(parameters) : own.newFeatures();
    }

    /** The name of the network whose features are compared. */
    public String network() {
        return own == null ? FeatureClassifier.NAME : own.name();
    }

    /** Share of the test samples that the trained network classifies correctly. */
    public double accuracy() {
        return accuracy;
    }

    /**
     * Scores images.
     *
     * @param images the concatenated images
     * @param number number of images, at least 2
     */
    public ImageScore score(float[] images, int number) {
        float[] seen;
        float[] logits;
        try (Forward features = classifier.newFeatures(parameters);
                Forward classes = classifier.newClasses(parameters)) {
            seen = features.outputs(images, number);
            logits = classes.outputs(seen, number);
        }
        float[] found = seen;
        if (own != null) {
            try (Forward features = own.newFeatures()) {
                found = features.outputs(images, number);
            }
        }
        long[] byClass = new long[count];
        for (int image = 0; image < number; image++) {
            int best = 0;
            for (int label = 1; label < count; label++) {
                if (logits[image * count + label] > logits[image * count + best]) {
                    best = label;
                }
            }
            byClass[best]++;
        }
        return new ImageScore(
                finite(found)
                        ? Math.max(0, FrechetDistance.of(Moments.of(found, number), real))
                        : Double.NaN,
                byClass);
    }

    private static boolean finite(float[] values) {
        for (float each : values) {
            if (!Float.isFinite(each)) {
                return false;
            }
        }
        return true;
    }
}
