package dev.levee.k8s.allocator.store;

import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.JobStore;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The complete content of a store.
 *
 * @param scalingRounds number of decisions that changed some running job's workers
 * @param jobs the memory of each job
 */
public record StoreContent(long scalingRounds, Map<String, JobMemory> jobs) {
    /** The content of a store that was never written to. */
    public static final StoreContent EMPTY = new StoreContent(0, Map.of());

    /** Copies the map. */
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

    /** Saves all of this content in a store. */
    public void into(JobStore store) {
        jobs.forEach(store::save);
        store.saveScalingRounds(scalingRounds);
    }
}
