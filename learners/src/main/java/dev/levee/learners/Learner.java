package dev.levee.learners;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * Computes gradients of a model. A learner holds scratch memory, but no state that affects results:
 * equal arguments give equal bits, on any thread and in any process on the same type of machine. It
 * is used by one thread at a time, but not always by the same thread.
 */
public interface Learner extends AutoCloseable {
    /** Key in the logging context (MDC) of the worker that a thread computes for. */
    String LOGGED_WORKER = "worker";

    /** Name of the logger for the lines that a participant's own code prints. */
    String PRINTED = "dev.levee.printed";

    /**
     * Computes the gradient of the mean loss over a batch.
     *
     * @param parameters flat vector in the model's layout; not changed. Callers pass the same array
     *     for the same model version, so an implementation may skip loading the vector again
     * @param seed seed of the random choices inside the model, such as dropout masks
     * @return a gradient in its own array
     * @throws OutOfMemoryError if the batch needs more memory than there is; a smaller batch may
     *     succeed
     */
    Gradient gradient(float[] parameters, Batch batch, long seed);

    /**
     * Peak memory of the last gradient, in bytes. Counts only memory that grows with the batch. 0
     * if the learner does not know it.
     */
    default long workingSet() {
        return 0;
    }

    /**
     * Runs one round of local training with the model's own training loop, which exists if {@link
     * Model#ownLoop} is true. The same arguments give the same result.
     *
     * @param parameters flat vector from which the loop starts; not changed
     */
    default LocalRound.Result train(float[] parameters, LocalRound round) {
        throw new UnsupportedOperationException("the model has no training loop of its own");
    }

    /**
     * Returns and clears the failures of a participant's own code since the last call that did not
     * change a result, because the failed computation was repeated.
     */
    default List<ParticipantException> repeated() {
        return List.of();
    }

    /**
     * The memory that a process uses on a GPU.
     *
     * @param host the machine's name
     * @param gpu the GPU's index on that machine, from 0
     * @param name name of the GPU's model
     * @param total memory of the GPU in bytes
     * @param process the process's id on that machine
     * @param allocated peak of the bytes of tensors
     * @param reserved peak of the bytes that the allocator kept, those of tensors included
     */
    record GpuMemory(
            String host,
            int gpu,
            String name,
            long total,
            long process,
            long allocated,
            long reserved)
            implements Serializable {}

    /**
     * The memory that this learner uses on a GPU, as of a recent computation; empty if it computes
     * elsewhere. Any thread may ask, also during a computation.
     */
    default Optional<GpuMemory> gpuMemory() {
        return Optional.empty();
    }

    /** Computes mean loss and scores over a whole data set. Buffers are used but not updated. */
    Evaluation evaluate(float[] parameters, Dataset data);

    /** Evaluates parameters that need not be in memory as a whole. */
    default Evaluation evaluate(FlatVector parameters, Dataset data) {
        return evaluate(parameters.all(), data);
    }

    @Override
    void close();
}
