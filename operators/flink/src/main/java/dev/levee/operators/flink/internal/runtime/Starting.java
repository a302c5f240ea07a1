package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.rounds.transfer.StandbyPlaces;

import java.util.ArrayList;
import java.util.List;

/**
 * A shard or a coordinator that waits until all subtasks of the replica have said what they hold:
 * it may have to go on from that. No checkpoint comes in between, for barriers follow what the
 * replica says.
 *
 * @param state that it goes on from if the replica holds nothing newer
 * @param places what the replica's subtasks have said so far
 * @param waiting what it has been told meanwhile, in order
 * @param <S> its state
 * @param <T> what a subtask of the replica says to it
 * @param <M> what it is told otherwise
 */
record Starting<S, T, M>(S state, StandbyPlaces<T> places, List<M> waiting) {
    /** The first state: no message has come. */
    static <S, T, M> Starting<S, T, M> from(S state) {
        return new Starting<>(state, new StandbyPlaces<>(), new ArrayList<>());
    }
}
