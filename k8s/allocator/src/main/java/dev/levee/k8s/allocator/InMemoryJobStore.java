package dev.levee.k8s.allocator;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A store that is lost with the process, for simulations, tests and dry runs. Persistent stores
 * extend it, and write its content in {@link #flush}.
 */
public class InMemoryJobStore implements JobStore {
    private final Map<String, JobMemory> memories = new LinkedHashMap<>();
    private long rounds;

    @Override
    public Optional<JobMemory> find(String job) {
        return Optional.ofNullable(memories.get(job));
    }

    @Override
    public void save(String job, JobMemory memory) {
        memories.put(job, memory);
    }

    @Override
    public void remove(String job) {
        memories.remove(job);
    }

    @Override
    public Set<String> jobs() {
        return Set.copyOf(memories.keySet());
    }

    @Override
    public long scalingRounds() {
        return rounds;
    }

    @Override
    public void saveScalingRounds(long rounds) {
        this.rounds = rounds;
    }
}
