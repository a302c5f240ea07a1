package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;

import java.util.Arrays;

/**
 * Gradients of a {@link LogisticModel}. Every inner loop adds a multiple of one row to another, the
 * form that the JVM vectorises without changing the order of any sum.
 */
final class LogisticLearner implements Learner {
    private final int features;
    private final int classes;

    /** The batch with samples side by side: {@code features × size}. */
    private float[] columns = new float[0];

    /** {@code classes × size}. */
    private float[] logits = new float[0];

    private long workingSet;

    LogisticLearner(LogisticModel model) {
        features = model.features();
        classes = model.classes();
    }

    @Override
    public Gradient gradient(float[] parameters, Batch batch, long seed) {
        int size = batch.size();
        float[] slope = new float[size * classes];
        double loss = forward(parameters, batch).losses(batch.labels(), slope);
        float[] gradient = new float[parameters.length];
        for (int b = 0; b < size; b++) {
            for (int c = 0; c < classes; c++) {
                float share = slope[b * classes + c];
                addScaled(share, batch.features(), b * features, gradient, c * features, features);
                gradient[classes * features + c] += share;
            }
        }
        long floats = gradient.length + columns.length + batch.features().length;
        workingSet = Float.BYTES * (floats + 3L * size * classes);
        return new Gradient(gradient, loss / size);
    }

    @Override
    public long workingSet() {
        return workingSet;
    }

    @Override
    public Evaluation evaluate(float[] parameters, Dataset data) {
        return Evaluations.run(data, batch -> forward(parameters, batch).score(batch.labels()));
    }

    private CrossEntropy forward(float[] parameters, Batch batch) {
        Arguments.check(parameters, (features + 1) * classes, batch, features, classes);
        int size = batch.size();
        if (columns.length != features * size) {
            columns = new float[features * size];
            logits = new float[classes * size];
        }
        for (int b = 0; b < size; b++) {
            for (int j = 0; j < features; j++) {
                columns[j * size + b] = batch.features()[b * features + j];
            }
        }
        for (int c = 0; c < classes; c++) {
            Arrays.fill(logits, c * size, (c + 1) * size, parameters[classes * features + c]);
            for (int j = 0; j < features; j++) {
                addScaled(parameters[c * features + j], columns, j * size, logits, c * size, size);
            }
        }
        float[] rows = new float[size * classes];
        for (int b = 0; b < size; b++) {
            for (int c = 0; c < classes; c++) {
                rows[b * classes + c] = logits[c * size + b];
            }
        }
        return new CrossEntropy(rows, size, classes);
    }

    private static void addScaled(
            float factor, float[] from, int fromOffset, float[] to, int toOffset, int length) {
        for (int i = 0; i < length; i++) {
            to[toOffset + i] += factor * from[fromOffset + i];
        }
    }

    @Override
    public void close() {
        columns = new float[0];
        logits = new float[0];
    }
}
