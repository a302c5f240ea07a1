package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Loss;
import dev.levee.learners.Score;
import dev.levee.learners.Task;

import java.util.Map;

/** Accumulates the numbers from which a task's scores are computed, batch by batch. */
public interface Tally {
    /** Creates an empty tally for up to {@code samples} samples. */
    static Tally of(Task task, int samples) {
        if (task.loss() instanceof Loss.BinaryCrossEntropy) {
            return new BinaryTally(task, samples);
        }
        return task.targets() > 0 ? new NumberTally(task) : new ClassTally(task.classes());
    }

    /** Adds samples. */
    void add(float[] outputs, Batch batch);

    /** The scores of all samples that were added; NaN if a score is not defined. */
    Map<Score, Double> scores();

    /** Counts the samples whose largest output belongs to their class. */
    final class ClassTally implements Tally {
        private final int classes;
        private long samples;
        private long correct;

        ClassTally(int classes) {
            this.classes = classes;
        }

        @Override
        public void add(float[] outputs, Batch batch) {
            samples += batch.size();
            correct += new CrossEntropy(outputs, batch.size(), classes).correct(batch.labels());
        }

        @Override
        public Map<Score, Double> scores() {
            return Map.of(Score.ACCURACY, (double) correct / samples);
        }
    }

    /** Adds up the errors of numeric outputs, and the variation of the targets. */
    final class NumberTally implements Tally {
        private final double[] squares;
        private final double[] means;

        /** For each target, the sum of squared differences from the mean so far (Welford). */
        private final double[] variations;

        private double absolute;
        private long samples;

        NumberTally(Task task) {
            squares = new double[task.outputs()];
            means = new double[squares.length];
            variations = new double[squares.length];
        }

        @Override
        public void add(float[] outputs, Batch batch) {
            int each = squares.length;
            for (int i = 0; i < outputs.length; i++) {
                int at = i % each;
                samples += at == 0 ? 1 : 0;
                double target = batch.targets()[i];
                double error = outputs[i] - target;
                squares[at] += error * error;
                absolute += Math.abs(error);
                double from = target - means[at];
                means[at] += from / samples;
                variations[at] += from * (target - means[at]);
            }
        }

        @Override
        public Map<Score, Double> scores() {
            double all = (double) samples * squares.length;
            double sum = 0;
            double explained = 0;
            for (int i = 0; i < squares.length; i++) {
                sum += squares[i];
                explained += variations[i] > 0 ? 1 - squares[i] / variations[i] : Double.NaN;
            }
            return Map.of(
                    Score.RMSE,
                    Math.sqrt(sum / all),
                    Score.MAE,
                    absolute / all,
                    Score.R2,
                    explained / squares.length);
        }
    }
}
