package dev.levee.k8s.allocator.store;

import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.JobStore;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All that a store holds.
 *
 * @param scalingRounds how many decisions changed some running job's workers
 * @param jobs the memory of each job
 */
public record StoreContent(long scalingRounds, Map<String, JobMemory> jobs) {
    /** The content of a store that was never written to. */
    public static final StoreContent EMPTY = new StoreContent(0, Map.of());

    /** A copy of its own. */
    public StoreContent {
        jobs = Collections.unmodifiableMap(new LinkedHashMap<>(jobs));
    }

    /** The current content of a store. */
    public static StoreContent of(JobStore store) {
        Map<String, JobMemory> jobs = new LinkedHashMap<>();
        for (String job : store.jobs().stream().sorted().toList()) {
            store.find(job).ifPresent(memory -> jobs.put(job, memory));
        }
        return new StoreContent(store.scalingRounds(), jobs);
    }

    /** Puts all of it into a store. */
    public void into(JobStore store) {
        jobs.forEach(store::save);
        store.saveScalingRounds(scalingRounds);
    }
}
