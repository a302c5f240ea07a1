package dev.levee.learners.internal;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Score;
import dev.levee.learners.Task;

import java.util.Arrays;
import java.util.Map;

/**
 * Counts correct and wrong logits for targets of 0 and 1, and keeps them for the area under the
 * curve.
 */
final class BinaryTally implements Tally {
    private final Task task;

    /**
     * For each output and sample, the logit as a sortable integer, with the target in the last bit.
     */
    private final long[][] ranked;

    private int samples;
    private boolean finite = true;
    private long truePositives;
    private long falsePositives;
    private long falseNegatives;

    BinaryTally(Task task, int samples) {
        this.task = task;
        ranked = new long[task.outputs()][samples];
    }

    @Override
    public void add(float[] outputs, Batch batch) {
        int each = ranked.length;
        for (int i = 0; i < outputs.length; i++) {
            boolean one = TargetCriterion.target(task, batch, i) == 1;
            boolean told = outputs[i] > 0;
            truePositives += one && told ? 1 : 0;
            falsePositives += !one && told ? 1 : 0;
            falseNegatives += one && !told ? 1 : 0;
            finite &= Float.isFinite(outputs[i]);
            ranked[i % each][samples + i / each] = 2L * ascending(outputs[i]) + (one ? 1 : 0);
        }
        samples += batch.size();
    }

    /** Maps floats to ints of the same order; −0 and 0 map to the same int. */
    private static int ascending(float value) {
        int bits = Float.floatToIntBits(value + 0f);
        return bits >= 0 ? bits : Integer.MIN_VALUE - bits;
    }

    @Override
    public Map<Score, Double> scores() {
        double all = (double) samples * ranked.length;
        double positives = 2.0 * truePositives + falsePositives + falseNegatives;
        double accuracy = (all - falsePositives - falseNegatives) / all;
        return Map.of(
                Score.ACCURACY,
                finite ? accuracy : Double.NaN,
                Score.AUC,
                finite ? meanArea() : Double.NaN,
                Score.F1,
                finite && positives > 0 ? 2 * truePositives / positives : Double.NaN);
    }

    private double meanArea() {
        return Arrays.stream(ranked)
                .mapToDouble(each -> area(Arrays.copyOf(each, samples)))
                .filter(area -> !Double.isNaN(area))
                .average()
                .orElse(Double.NaN);
    }

    /** The area under the curve of one output, NaN if all its targets are the same. */
    private static double area(long[] keys) {
        Arrays.sort(keys);
        double pairs = 0;
        long zeros = 0;
        for (int from = 0; from < keys.length; ) {
            int to = from;
            long ones = 0;
            // In a group of equal logits, each pair of a target 0 and a target 1 counts one half.
            for (; to < keys.length && keys[to] >> 1 == keys[from] >> 1; to++) {
                ones += keys[to] & 1;
            }
            long others = to - from - ones;
            pairs += ones * (zeros + others / 2.0);
            zeros += others;
            from = to;
        }
        return pairs / ((double) zeros * (keys.length - zeros));
    }
}
