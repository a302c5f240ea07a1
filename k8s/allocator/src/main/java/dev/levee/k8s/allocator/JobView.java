package dev.levee.k8s.allocator;

import java.util.List;

/**
 * A job as a policy sees it.
 *
 * @param spec the user's request
 * @param workers workers it has; 0 while it waits
 * @param usableWorkers upper limit of this decision: the number of healthy workers if some have
 *     failed, otherwise {@link Integer#MAX_VALUE}
 * @param localBatch samples per worker and round now
 * @param memory the memory of the job
 * @param remainingSamples samples left to process; NaN if unknown
 * @param pauseSeconds duration of the pause of its last rescaling; NaN if unknown, or if it was
 *     never rescaled
 * @param progress its progress; {@link Progress#UNKNOWN} if unknown
 */
public record JobView(
        JobSpec spec,
        int workers,
        int usableWorkers,
        int localBatch,
        JobMemory memory,
        double remainingSamples,
        double pauseSeconds,
        Progress progress) {

    /** The job's name. */
    public String id() {
        return spec.id();
    }

    /** True if it has workers. */
    public boolean running() {
        return workers > 0;
    }

    /** Fewest workers that it can run with. */
    public int least() {
        return spec.bounds().minWorkers();
    }

    /** Most workers that it may have at its current local batch; at least {@link #least()}. */
    public int most() {
        long byBatch = spec.bounds().maxGlobalBatch() / localBatch;
        long most = Math.min(Math.min(spec.bounds().maxWorkers(), usableWorkers), byBatch);
        return (int) Math.max(least(), most);
    }

    /** Workers that it starts with, within its bounds. */
    public int start() {
        return Math.max(least(), Math.min(spec.bounds().startWorkers(), most()));
    }

    /** Speed of its slowest slot at the last measurement; NaN if it waits or was never measured. */
    public double speed() {
        List<Measurement> history = memory.history();
        return running() && !history.isEmpty()
                ? history.get(history.size() - 1).speed()
                : Double.NaN;
    }

    /** Most workers that it may have at its smallest local batch; at least {@link #least()}. */
    public int mostAtAnyBatch() {
        long byBatch = spec.bounds().maxGlobalBatch() / spec.batches().leastLocal();
        long most = Math.min(Math.min(spec.bounds().maxWorkers(), usableWorkers), byBatch);
        return (int) Math.max(least(), most);
    }

    /** True if it can only run with exactly the workers that it has. */
    public boolean held() {
        return running()
                && spec.bounds().minWorkers() == workers
                && Math.min(spec.bounds().maxWorkers(), usableWorkers) == workers;
    }

    /** True if its workers cannot be taken away. */
    public boolean stays() {
        return held() || running() && !spec.pausable();
    }

    /**
     * Number of nodes of its workers at the last measurement; 0 if it waits, or if it was last
     * measured with another number of workers.
     */
    public int nodes() {
        List<Measurement> history = memory.history();
        if (!running() || history.isEmpty()) {
            return 0;
        }
        Measurement last = history.get(history.size() - 1);
        return last.workers() == workers ? last.nodes() : 0;
    }

    /**
     * Expected number of nodes for a number of workers.
     *
     * @param slotsPerNode slots per node, onto which workers are packed. If 0, workers are packed
     *     as in the newest measurement with the nearest number of workers above 1; if that was on
     *     one node, or there is none, one node is expected
     */
    public int nodes(int workers, int slotsPerNode) {
        if (slotsPerNode > 0) {
            return (workers + slotsPerNode - 1) / slotsPerNode;
        }
        int nodes = 1;
        int nearest = Integer.MAX_VALUE;
        for (Measurement each : memory.history()) {
            int distance = Math.abs(each.workers() - workers);
            if (each.workers() > 1 && distance <= nearest) {
                nearest = distance;
                long scaled = ((long) workers * each.nodes() + each.workers() - 1) / each.workers();
                nodes = each.nodes() == 1 ? 1 : (int) scaled;
            }
        }
        return nodes;
    }
}
