package dev.levee.k8s.allocator;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * The complete input of a decision.
 *
 * @param now time of the decision
 * @param classes the cluster's slots by class, fastest first; at least one class
 * @param scalingRounds number of decisions so far that changed some running job's workers
 * @param jobs jobs that run or wait, in order of submission (ties by name)
 */
public record Snapshot(
        Instant now, List<SlotClass> classes, long scalingRounds, List<JobView> jobs) {
    private static final Comparator<JobView> QUEUE =
            Comparator.comparing((JobView job) -> job.spec().submitted())
                    .thenComparing(JobView::id);
    private static final Comparator<SlotClass> FASTEST =
            Comparator.comparingDouble(SlotClass::speed).reversed();

    /** Sorts classes and jobs. */
    public Snapshot {
        if (classes.isEmpty()) {
            throw new IllegalArgumentException("a snapshot needs a class of slots");
        }
        classes = classes.stream().sorted(FASTEST).toList();
        jobs = jobs.stream().sorted(QUEUE).toList();
    }

    /** The snapshot of a cluster whose slots are equal. */
    public Snapshot(Instant now, int slots, long scalingRounds, List<JobView> jobs) {
        this(now, List.of(new SlotClass(1, slots)), scalingRounds, jobs);
    }

    /** Slots per node of the class with the most slots; 0 if unknown. */
    public int slotsPerNode() {
        SlotClass largest = null;
        for (SlotClass each : classes) {
            largest = largest == null || each.slots() > largest.slots() ? each : largest;
        }
        return largest == null ? 0 : largest.perNode();
    }

    /** Number of workers that the cluster has room for, on slots of any class. */
    public int slots() {
        int all = 0;
        for (SlotClass each : classes) {
            all += each.slots();
        }
        return all;
    }
}
