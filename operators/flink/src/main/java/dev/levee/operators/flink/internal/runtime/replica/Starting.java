package dev.levee.operators.flink.internal.runtime.replica;

import dev.levee.operators.rounds.transfer.StandbyPlaces;

import java.util.ArrayList;
import java.util.List;

/**
 * A shard or a coordinator that waits for the reports of all the replica's subtasks, because it may
 * have to continue from the replica. No checkpoint is taken meanwhile, because barriers follow
 * these reports.
 *
 * @param state the state to continue from if the replica has none that is newer
 * @param places the messages of the replica's subtasks so far
 * @param waiting the messages that wait, in order
 * @param <S> its state
 * @param <T> a message of a subtask of the replica
 * @param <M> any other message
 */
public record Starting<S, T, M>(S state, StandbyPlaces<T> places, List<M> waiting) {
    /** The initial state, before any message. */
    public static <S, T, M> Starting<S, T, M> from(S state) {
        return new Starting<>(state, new StandbyPlaces<>(), new ArrayList<>());
    }
}
