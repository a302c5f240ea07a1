package dev.levee.jobs.internal.report;

import dev.levee.connectors.data.Dataset;
import dev.levee.jobs.internal.report.markup.Png;
import dev.levee.jobs.internal.report.summary.Sample;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Learner;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Picks test images and lets a model classify them. */
public final class Samples {
    private static final int COUNT = 20;
    private static final int MOST_CLASSES = 20;

    private Samples() {}

    /**
     * The first test images with predictions; none if samples are no images or have too many
     * classes.
     */
    static List<Sample> of(Dataset data, Learner learner, FlatVector parameters) {
        int[] shape = data.shape();
        boolean image = shape.length == 3 && (shape[0] == 1 || shape[0] == 3);
        if (!image || data.targets() > 0 || data.classes() > MOST_CLASSES) {
            return List.of();
        }
        List<Sample> samples = new ArrayList<>();
        for (int index = 0; index < Math.min(COUNT, data.size()); index++) {
            float[] pixels = new float[shape[0] * shape[1] * shape[2]];
            data.read(index, pixels, 0);
            samples.add(
                    new Sample(
                            data.label(index),
                            predict(data, index, learner, parameters),
                            Base64.getEncoder().encodeToString(Png.encode(pixels, shape))));
        }
        return samples;
    }

    /**
     * The class that the model predicts for a sample, −1 if there is none. Tries each class as the
     * label.
     */
    private static int predict(Dataset data, int index, Learner learner, FlatVector parameters) {
        for (int label = 0; label < data.classes(); label++) {
            if (learner.evaluate(parameters, new Relabelled(data, index, label)).accuracy() == 1) {
                return label;
            }
        }
        return -1;
    }

    /** A data set of one sample of another data set, with another label. */
    private record Relabelled(Dataset data, int sample, int label) implements Dataset {
        @Override
        public int size() {
            return 1;
        }

        @Override
        public int[] shape() {
            return data.shape();
        }

        @Override
        public int classes() {
            return data.classes();
        }

        @Override
        public int label(int index) {
            return label;
        }

        @Override
        public void read(int index, float[] out, int offset) {
            data.read(sample, out, offset);
        }
    }
}
