package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.loop.LocalExchange;
import dev.levee.operators.rounds.Header;

import org.apache.flink.api.common.functions.Partitioner;

import java.util.HashMap;
import java.util.Map;

/**
 * Sends gradients to one combiner in the process of their workers: the first combiner once it runs,
 * and until then the combiner in the worker's slot. All blocks of a contribution go to the same
 * combiner.
 */
final class HostPartitioner implements Partitioner<Header> {
    private static final long serialVersionUID = 1L;

    private final LoopJob job;
    private transient Map<Integer, Integer> chosen;

    HostPartitioner(LoopJob job) {
        this.job = job;
    }

    @Override
    public int partition(Header header, int subtasks) {
        if (chosen == null) {
            chosen = new HashMap<>();
        }
        if (header.block() == 0) {
            chosen.put(header.sender(), choose(header.sender(), subtasks));
        }
        return chosen.get(header.sender());
    }

    private int choose(int worker, int subtasks) {
        LocalExchange exchange = LocalExchange.of(job.run());
        int first = exchange == null ? -1 : exchange.lowest(LoopGraph.COMBINERS);
        return first < 0 ? subtask(job, worker, subtasks) : first;
    }

    /** The subtask in which a worker is. */
    static int subtask(LoopJob job, int worker, int subtasks) {
        return job.subtask(job.workerKeys()[worker], subtasks);
    }
}
