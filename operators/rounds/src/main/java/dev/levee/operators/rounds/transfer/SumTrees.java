package dev.levee.operators.rounds.transfer;

import dev.levee.operators.rounds.SumTree;

import java.util.List;

/**
 * The trees of sums that a process has been told of. A tree holds from a round on that nobody has
 * begun when it is sent, so hosts change to it together; where one was late, its sums are passed on
 * by whoever they come to. Safe for several threads.
 */
public final class SumTrees {
    /** The newest one, and the one before, newest first. */
    private volatile List<SumTree> told = List.of();

    /** Takes a tree; repeated ones change nothing. */
    public synchronized void add(SumTree tree) {
        if (told.isEmpty()) {
            told = List.of(tree);
        } else if (tree.from() > told.get(0).from()) {
            told = List.of(tree, told.get(0));
        }
    }

    /**
     * The subtask that adds up the contributions of a host in a round.
     *
     * @param host one of the host's subtasks
     * @param otherwise where it is while nothing is known
     */
    public int aggregator(long round, int host, int otherwise) {
        for (SumTree tree : told) {
            if (tree.from() <= round) {
                return tree.aggregators()[host];
            }
        }
        return otherwise;
    }
}
