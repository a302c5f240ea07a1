package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * A replica has gone on in the place of a primary that was lost.
 *
 * @param version the version of the primary's model that it has gone on from: the newest that had
 *     reached the replica's process
 * @param checkpoint version that the run would have gone on from without it
 * @param behind most versions since the replica had got a block
 * @param distance Euclidean distance from the primary's model of that version, measured
 */
public record StoodIn(long version, long checkpoint, long behind, double distance)
        implements Serializable {}
