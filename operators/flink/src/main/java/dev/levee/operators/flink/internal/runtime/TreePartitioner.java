package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.rounds.Header;

import org.apache.flink.api.common.functions.Partitioner;

import java.util.TreeMap;

/**
 * Sends the sums of a process to the aggregator that the tree of sums assigns for the round, or to
 * the aggregator of its own process while it knows no tree.
 */
final class TreePartitioner implements Partitioner<Header> {
    private static final long serialVersionUID = 1L;

    private final LoopJob job;
    private transient TreeMap<Long, Integer> chosen;

    TreePartitioner(LoopJob job) {
        this.job = job;
    }

    @Override
    public int partition(Header header, int subtasks) {
        if (chosen == null) {
            chosen = new TreeMap<>();
        }
        chosen.headMap(header.round() - 1).clear();
        return chosen.computeIfAbsent(
                header.round(), round -> choose(round, header.sender(), subtasks));
    }

    private int choose(long round, int sender, int subtasks) {
        LocalExchange exchange = LocalExchange.of(job.run());
        int first = exchange == null ? -1 : exchange.lowest(LoopGraph.COMBINERS);
        if (first < 0) {
            return HostPartitioner.subtask(job, sender, subtasks);
        }
        return exchange.trees().aggregator(round, first, first);
    }
}
