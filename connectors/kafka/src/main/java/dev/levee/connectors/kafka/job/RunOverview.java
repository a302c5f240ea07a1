package dev.levee.connectors.kafka.job;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;

import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * An overview of a run from its topics.
 *
 * @param run the run's id
 * @param version the newest version published, and the round that is open
 * @param publishedAt when it was, milliseconds since the epoch by the broker's clock
 * @param settings of the open round
 * @param memory how workers and the last round fared
 * @param blocks number of blocks of the model
 * @param answers by worker: blocks of the open round that are on the gradient topic; as records
 *     claim, signatures are not checked
 * @param truncated true if there were more records since than are read for this
 * @param partitions of the gradient topic
 */
public record RunOverview(
        long run,
        long version,
        long publishedAt,
        Settings settings,
        CoordinatorMemory memory,
        int blocks,
        Map<Integer, BitSet> answers,
        boolean truncated,
        List<Partition> partitions) {
    /**
     * A partition of the gradient topic.
     *
     * @param partition its number
     * @param end its end offset
     * @param committed the job's offset at its last complete checkpoint, −1 if there is none
     * @param bytes stored for it, −1 if it may not be read
     */
    public record Partition(int partition, long end, long committed, long bytes) {
        /** Records the job has not read at its last complete checkpoint, −1 if there is none. */
        public long lag() {
            return committed < 0 ? -1 : Math.max(0, end - committed);
        }
    }
}
