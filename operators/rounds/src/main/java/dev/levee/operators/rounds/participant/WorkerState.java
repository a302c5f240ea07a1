package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.training.Work;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state of one participant, which moves with it.
 *
 * @param answered newest round it has answered, −1 before the first
 * @param consumed samples it has drawn
 * @param vectors the vectors that its work keeps between rounds, by name; never written to
 * @param own the state of the model's own loop, in its own form; never written to
 */
public record WorkerState(long answered, long consumed, Map<String, float[]> vectors, byte[] own) {
    /** The state of a participant before its first round. */
    public static final WorkerState FRESH = new WorkerState(-1, 0, Map.of());

    /** The state of a worker whose model has no loop of its own. */
    public WorkerState(long answered, long consumed, Map<String, float[]> vectors) {
        this(answered, consumed, vectors, Work.NOTHING);
    }

    /** Vectors are kept in the order of their names. */
    public WorkerState {
        vectors = Collections.unmodifiableSortedMap(new TreeMap<>(vectors));
    }
}
