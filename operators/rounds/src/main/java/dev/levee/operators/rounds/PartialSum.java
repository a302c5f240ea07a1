package dev.levee.operators.rounds;

import dev.levee.gar.block.WeightedSum;

import java.util.List;

/**
 * The blocks of several participants' contributions to one round, added up before they reached the
 * server. Immutable.
 *
 * @param members the contributions without their values, in ascending order of senders; at least
 *     two
 * @param sum of weight · values over the members
 */
public record PartialSum(List<GradientBlock> members, WeightedSum sum) {
    /** Copies the list. */
    public PartialSum {
        members = List.copyOf(members);
    }
}
