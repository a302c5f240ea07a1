package dev.levee.operators.rounds.participant;

import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Stores the states of local participants that are not in the open round. The others are in {@link
 * Workers}, which writes them into checkpoints.
 */
public interface ParticipantStates {
    /** True if a participant lives here. */
    boolean has(int participant);

    /** The state of a participant that lives here, {@link WorkerState#FRESH} at first. */
    WorkerState get(int participant);

    /** Keeps a state. */
    void put(int participant, WorkerState state);

    /**
     * States in a map.
     *
     * @param here the participants that live here
     */
    static ParticipantStates of(IntPredicate here, Map<Integer, WorkerState> states) {
        return new ParticipantStates() {
            @Override
            public boolean has(int participant) {
                return here.test(participant);
            }

            @Override
            public WorkerState get(int participant) {
                return states.getOrDefault(participant, WorkerState.FRESH);
            }

            @Override
            public void put(int participant, WorkerState state) {
                states.put(participant, state);
            }
        };
    }
}
