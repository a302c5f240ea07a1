package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * The report of a replica's subtask at its start: its place and its newest version.
 *
 * @param subtask its index
 * @param subtasks how many there are
 * @param process the process that it runs in
 * @param version the version of the primary's model that it can continue from, −1 for none
 */
public record StandbyPlace(int subtask, int subtasks, String process, long version)
        implements Serializable {
    /** The version that means that a subtask holds nothing. */
    public static final long NONE = -1;
}
