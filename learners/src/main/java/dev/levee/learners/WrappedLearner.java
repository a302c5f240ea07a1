package dev.levee.learners;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;

import java.util.List;
import java.util.Optional;

/**
 * A learner that forwards calls to another learner, except for the methods that a subclass
 * overrides. Closing it closes the other learner.
 */
public abstract class WrappedLearner implements Learner {
    private final Learner learner;

    /** Wraps a learner. */
    protected WrappedLearner(Learner learner) {
        this.learner = learner;
    }

    @Override
    public Gradient gradient(float[] parameters, Batch batch, long seed) {
        return learner.gradient(parameters, batch, seed);
    }

    @Override
    public long workingSet() {
        return learner.workingSet();
    }

    @Override
    public Evaluation evaluate(float[] parameters, Dataset data) {
        return learner.evaluate(parameters, data);
    }

    @Override
    public Evaluation evaluate(FlatVector parameters, Dataset data) {
        return learner.evaluate(parameters, data);
    }

    @Override
    public List<ParticipantException> repeated() {
        return learner.repeated();
    }

    @Override
    public Optional<GpuMemory> gpuMemory() {
        return learner.gpuMemory();
    }

    @Override
    public void close() {
        learner.close();
    }
}
