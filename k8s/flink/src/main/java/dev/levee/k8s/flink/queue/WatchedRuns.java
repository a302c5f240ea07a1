package dev.levee.k8s.flink.queue;

import dev.levee.k8s.allocator.Cluster;
import dev.levee.k8s.allocator.ClusterObservation;
import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.flink.queue.QueueState.Phase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A read-only view of a cluster with its queue: nothing is started, stopped or written. Not
 * thread-safe.
 */
public final class WatchedRuns implements Cluster {
    private final RunQueue queue;
    private final Cluster cluster;
    private final Consumer<String> news;
    private final Set<String> damaged = new HashSet<>();
    private final LineObservations latest = new LineObservations();

    /**
     * Combines a queue, which need not exist, with the cluster on which its runs are started.
     *
     * @param news receives a sentence for each run that cannot be read
     */
    public WatchedRuns(RunQueue queue, Cluster cluster, Consumer<String> news) {
        this.queue = queue;
        this.cluster = cluster;
        this.news = news;
    }

    @Override
    public ClusterObservation observe() throws IOException {
        List<RunQueue.Entry> runs = new ArrayList<>();
        for (RunQueue.Entry each : queue.entries(this::damaged)) {
            Phase phase = each.state().phase();
            boolean leaves = phase == Phase.WAITING && each.cancelled();
            if (phase != Phase.ENDED && !leaves) {
                runs.add(each);
            }
        }
        return latest.of(runs, cluster.observe());
    }

    private void damaged(String why) {
        if (damaged.add(why)) {
            news.accept(why);
        }
    }

    @Override
    public void act(Decision decision) {}
}
