package dev.levee.connectors.data;

import java.util.List;

/**
 * Wraps a data set and replaces classes by target numbers, for regression and for several labels
 * per sample.
 */
public final class TargetDataset implements WrappedDataset {
    private final Dataset samples;
    private final float[][] targets;
    private final List<String> names;

    /**
     * @param samples provide the features; their labels are ignored
     * @param targets the targets of each sample; all samples have the same number of targets
     * @param names the names of the targets; targets beyond this list are named by their number
     * @throws IllegalArgumentException if lengths differ or a target is not finite; one sentence
     */
    public TargetDataset(Dataset samples, float[][] targets, List<String> names) {
        if (targets.length != samples.size() || targets.length == 0) {
            throw new IllegalArgumentException(
                    "each sample needs targets, got %d samples and targets of %d"
                            .formatted(samples.size(), targets.length));
        }
        for (int i = 0; i < targets.length; i++) {
            if (targets[i].length != targets[0].length || targets[i].length == 0) {
                throw new IllegalArgumentException(
                        "all samples must have equally many targets, at least one; sample %d has %d and the first %d"
                                .formatted(i, targets[i].length, targets[0].length));
            }
            for (float target : targets[i]) {
                if (!Float.isFinite(target)) {
                    throw new IllegalArgumentException(
                            "targets must be finite, sample %d has %s".formatted(i, target));
                }
            }
        }
        this.samples = samples;
        this.targets = targets;
        this.names = List.copyOf(names);
    }

    @Override
    public Dataset samples() {
        return samples;
    }

    @Override
    public int classes() {
        return 1;
    }

    @Override
    public int label(int index) {
        return 0;
    }

    @Override
    public int targets() {
        return targets[0].length;
    }

    @Override
    public String targetName(int target) {
        return target < names.size() ? names.get(target) : Integer.toString(target);
    }

    @Override
    public void readTargets(int index, float[] out, int offset) {
        System.arraycopy(targets[index], 0, out, offset, targets[index].length);
    }
}
