package dev.levee.operators.rounds.pipeline;

import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.pipeline.StageState.Sent;

import java.util.Map;
import java.util.TreeMap;

/** The states of one process's stages, by worker. May be used by several threads. */
final class StageStates {
    private final Map<StageId, StageState> states = new TreeMap<>();

    /** Restores states. */
    synchronized void restore(Map<StageId, StageState> restored) {
        states.putAll(restored);
    }

    /**
     * Begins a step and discards states that it does not continue from.
     *
     * @throws RunFailedException if the state that it continues from is missing
     */
    synchronized void begin(StageMessage.Begin step) {
        StageId id = new StageId(step.stage(), step.worker());
        if (step.after() < 0) {
            states.remove(id);
            return;
        }
        StageState state = states.get(id);
        Sent from = state == null ? null : state.of(step.after());
        if (from == null) {
            throw new RunFailedException(
                    "stage %d of worker %d does not have the momentum of round %d: the state is that of a run with other stages"
                            .formatted(step.stage(), step.worker(), step.after()));
        }
        states.put(id, new StageState(from, null));
    }

    /** The values that a step continues from, null if it is the first. */
    synchronized float[] before(StageMessage.Begin step) {
        StageState state = states.get(new StageId(step.stage(), step.worker()));
        return state == null ? null : state.before().values();
    }

    /** Records the values that a step has sent. */
    synchronized void end(StageMessage.Begin step, float[] sent) {
        StageId id = new StageId(step.stage(), step.worker());
        StageState state = states.get(id);
        Sent before = state == null ? null : state.before();
        states.put(id, new StageState(before, new Sent(step.version(), sent)));
    }

    /** All states, for a checkpoint. */
    synchronized Map<StageId, StageState> snapshot() {
        return new TreeMap<>(states);
    }
}
