package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Score;

import java.util.Map;

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
