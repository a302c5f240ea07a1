package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Score;

import java.util.Map;

/**
 * Counts the samples whose largest output belongs to their class. There is no accuracy if an output
 * is NaN, as those of a diverged model are.
 */
final class ClassTally implements Tally {
    private final int classes;
    private long samples;
    private long correct;
    private boolean numbers = true;

    ClassTally(int classes) {
        this.classes = classes;
    }

    @Override
    public void add(float[] outputs, Batch batch) {
        samples += batch.size();
        correct += new CrossEntropy(outputs, batch.size(), classes).correct(batch.labels());
        for (float output : outputs) {
            numbers &= !Float.isNaN(output);
        }
    }

    @Override
    public Map<Score, Double> scores() {
        return Map.of(Score.ACCURACY, numbers ? (double) correct / samples : Double.NaN);
    }
}
