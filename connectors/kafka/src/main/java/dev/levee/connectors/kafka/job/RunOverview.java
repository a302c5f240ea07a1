package dev.levee.connectors.kafka.job;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;

import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * An overview of a run, read from its topics.
 *
 * @param run the run's id
 * @param version the newest version published, and the round that is open
 * @param publishedAt when that version was published, milliseconds since the epoch by the broker's
 *     clock
 * @param settings the settings of the open round
 * @param memory the coordinator's memory of workers and the last round
 * @param blocks number of blocks of a whole answer: those of the model, for each server that gets a
 *     gradient of its own
 * @param answers for each worker, its blocks of the open round on the gradient topic, as records
 *     claim: signatures are not checked
 * @param truncated true if there were too many records to read all of them for {@code answers}
 * @param partitions the partitions of the gradient topic
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
     * @param bytes its stored size, −1 if this client may not read it
     */
    public record Partition(int partition, long end, long committed, long bytes) {
        /**
         * Number of records that the job had not read at its last complete checkpoint, −1 if there
         * is none.
         */
        public long lag() {
            return committed < 0 ? -1 : Math.max(0, end - committed);
        }
    }
}
