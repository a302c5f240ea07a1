package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;

import java.util.Arrays;

/**
 * Gradients of a {@link LogisticModel}. Every inner loop adds multiples of a few rows to another,
 * the form that the JVM vectorises without changing the order of any sum.
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
        float[] shares = new float[size];
        for (int c = 0; c < classes; c++) {
            for (int b = 0; b < size; b++) {
                shares[b] = slope[b * classes + c];
                gradient[classes * features + c] += shares[b];
            }
            addScaled(shares, 0, batch.features(), size, gradient, c * features, features);
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
            addScaled(parameters, c * features, columns, features, logits, c * size, size);
        }
        float[] rows = new float[size * classes];
        for (int b = 0; b < size; b++) {
            for (int c = 0; c < classes; c++) {
                rows[b * classes + c] = logits[c * size + b];
            }
        }
        return new CrossEntropy(rows, size, classes);
    }

    /**
     * Adds multiples of rows to a row, one after the other; four at a time are read and written
     * once.
     *
     * @param factors one for each row, from {@code first} on
     * @param rows that are added, {@code count} of them
     * @param length of a row
     */
    private static void addScaled(
            float[] factors,
            int first,
            float[] rows,
            int count,
            float[] to,
            int offset,
            int length) {
        int row = 0;
        for (; row + 3 < count; row += 4) {
            float f0 = factors[first + row];
            float f1 = factors[first + row + 1];
            float f2 = factors[first + row + 2];
            float f3 = factors[first + row + 3];
            int r0 = row * length;
            int r1 = r0 + length;
            int r2 = r1 + length;
            int r3 = r2 + length;
            for (int i = 0; i < length; i++) {
                to[offset + i] =
                        to[offset + i]
                                + f0 * rows[r0 + i]
                                + f1 * rows[r1 + i]
                                + f2 * rows[r2 + i]
                                + f3 * rows[r3 + i];
            }
        }
        for (; row < count; row++) {
            float factor = factors[first + row];
            int from = row * length;
            for (int i = 0; i < length; i++) {
                to[offset + i] += factor * rows[from + i];
            }
        }
    }

    @Override
    public void close() {
        columns = new float[0];
        logits = new float[0];
    }
}
