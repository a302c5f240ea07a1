package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * What a subtask of a replica says when it starts: where it is, and what it holds.
 *
 * @param subtask its index
 * @param subtasks how many there are
 * @param process the process that it runs in
 * @param version of the primary's model that it can go on from, −1 for none
 */
public record StandbyPlace(int subtask, int subtasks, String process, long version)
        implements Serializable {
    /** Nothing is held. */
    public static final long NONE = -1;
}
