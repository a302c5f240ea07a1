package dev.levee.operators.rounds.pipeline;

import java.util.Comparator;

/** Identifies a stage of a worker's pipeline. */
public record StageId(int stage, int worker) implements Comparable<StageId> {
    private static final Comparator<StageId> ORDER =
            Comparator.comparingInt(StageId::stage).thenComparingInt(StageId::worker);

    @Override
    public int compareTo(StageId other) {
        return ORDER.compare(this, other);
    }
}
