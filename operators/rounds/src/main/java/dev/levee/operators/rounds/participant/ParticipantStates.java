package dev.levee.operators.rounds.participant;

import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Stores the states of local participants that are not in the open round. {@link Workers} has the
 * states of those in the open round and writes them into checkpoints.
 */
public interface ParticipantStates {
    /** True if a participant is local. */
    boolean has(int participant);

    /** The state of a local participant, initially {@link WorkerState#FRESH}. */
    WorkerState get(int participant);

    /** Stores a state. */
    void put(int participant, WorkerState state);

    /**
     * Stores states in a map.
     *
     * @param here tells which participants are local
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
