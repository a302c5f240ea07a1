package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.Task;

import java.util.Arrays;

/**
 * Computes gradients of a {@link LogisticModel}. Inner loops add multiples of a few rows to another
 * row, because the JVM vectorizes such loops without changing the order of any sum. Other loops
 * fill {@link LogitTiles}.
 */
final class LogisticLearner implements Learner {
    private final Task task;
    private final Criterion criterion;
    private final int features;
    private final int outputs;

    /** The transposed batch, {@code features × size}. */
    private float[] columns = new float[0];

    /** {@code outputs × size}. */
    private float[] logits = new float[0];

    private long workingSet;

    LogisticLearner(LogisticModel model) {
        features = model.features();
        task = model.task();
        criterion = Criterion.of(task);
        outputs = task.outputs();
    }

    @Override
    public Gradient gradient(float[] parameters, Batch batch, long seed) {
        int size = batch.size();
        float[] slope = new float[size * outputs];
        double loss = criterion.losses(forward(parameters, batch), batch, slope);
        float[] gradient = new float[parameters.length];
        float[] shares = new float[size];
        for (int c = 0; c < outputs; c++) {
            for (int b = 0; b < size; b++) {
                shares[b] = slope[b * outputs + c];
                gradient[outputs * features + c] += shares[b];
            }
            addScaled(shares, 0, batch.features(), size, gradient, c * features, features);
        }
        long floats = gradient.length + columns.length + batch.features().length;
        workingSet = Float.BYTES * (floats + 3L * size * outputs);
        return new Gradient(gradient, loss / size);
    }

    @Override
    public long workingSet() {
        return workingSet;
    }

    @Override
    public Evaluation evaluate(float[] parameters, Dataset data) {
        return Evaluations.run(
                data,
                task,
                batch -> {
                    float[] told = forward(parameters, batch);
                    return new Evaluations.Outputs(told, criterion.losses(told, batch));
                });
    }

    private float[] forward(float[] parameters, Batch batch) {
        Arguments.check(parameters, (features + 1) * outputs, batch, features, task);
        int size = batch.size();
        float[] rows = new float[size * outputs];
        if (LogitTiles.fit(size, outputs)) {
            LogitTiles.fill(parameters, batch.features(), size, features, outputs, rows);
            return rows;
        }
        if (columns.length != features * size) {
            columns = new float[features * size];
            logits = new float[outputs * size];
        }
        for (int b = 0; b < size; b++) {
            for (int j = 0; j < features; j++) {
                columns[j * size + b] = batch.features()[b * features + j];
            }
        }
        for (int c = 0; c < outputs; c++) {
            Arrays.fill(logits, c * size, (c + 1) * size, parameters[outputs * features + c]);
            addScaled(parameters, c * features, columns, features, logits, c * size, size);
        }
        for (int b = 0; b < size; b++) {
            for (int c = 0; c < outputs; c++) {
                rows[b * outputs + c] = logits[c * size + b];
            }
        }
        return rows;
    }

    /**
     * Adds multiples of rows to a row, one after another. It processes four rows at a time, so that
     * the row is read and written once for them.
     *
     * @param factors a factor for each row, from {@code first} on
     * @param rows the {@code count} rows to add
     * @param length the length of a row
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
