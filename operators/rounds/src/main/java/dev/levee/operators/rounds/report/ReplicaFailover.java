package dev.levee.operators.rounds.report;

import java.io.Serializable;

/**
 * Records that a replica took over from a lost primary.
 *
 * @param version the version of the primary's model that the run continued from: the newest that
 *     had reached the replica's process
 * @param checkpoint the version that the run would have continued from without the replica
 * @param behind the age of the replica's oldest block, in versions
 * @param distance measured Euclidean distance from the primary's model of that version
 */
public record ReplicaFailover(long version, long checkpoint, long behind, double distance)
        implements Serializable {}
