package dev.levee.operators.rounds.transfer;

import dev.levee.operators.rounds.SumTree;

import java.util.List;

/**
 * The trees of sums that a process has received. A tree applies from a round on that no worker has
 * begun when it is sent, so hosts change to it together. If a host is late, the receivers of its
 * sums pass them on. Safe for several threads.
 */
public final class SumTrees {
    /** The newest tree and the previous one, newest first. */
    private volatile List<SumTree> told = List.of();

    /** Adds a tree; repeated ones change nothing. */
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
     * @param otherwise the result while there is no tree
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
