package dev.levee.k8s.allocator.store;

import dev.levee.k8s.allocator.InMemoryJobStore;
import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.JobStore;

import java.util.Optional;
import java.util.Set;

/** Holds everything in memory until {@link #flush} writes it as a whole. */
public abstract class BufferedJobStore implements JobStore {
    /** What is in memory. */
    protected final JobStore content = new InMemoryJobStore();

    @Override
    public Optional<JobMemory> find(String job) {
        return content.find(job);
    }

    @Override
    public void save(String job, JobMemory memory) {
        content.save(job, memory);
    }

    @Override
    public void remove(String job) {
        content.remove(job);
    }

    @Override
    public Set<String> jobs() {
        return content.jobs();
    }

    @Override
    public long scalingRounds() {
        return content.scalingRounds();
    }

    @Override
    public void saveScalingRounds(long rounds) {
        content.saveScalingRounds(rounds);
    }

    @Override
    public abstract void flush();
}
