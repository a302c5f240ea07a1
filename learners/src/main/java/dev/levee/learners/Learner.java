package dev.levee.learners;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * Computes gradients of a model. Holds scratch memory, but nothing that a result depends on: equal
 * arguments give equal bits, on any thread and in any process of the same machine type. Used by one
 * thread at a time, not always the same.
 */
public interface Learner extends AutoCloseable {
    /** The key by which a computing thread tells loggers for which worker it computes. */
    String LOGGED_WORKER = "worker";

    /** The logger of the lines that a participant's own code prints. */
    String PRINTED = "dev.levee.printed";

    /**
     * Gradient of the mean loss over a batch.
     *
     * @param parameters flat vector as the layout says; not changed. Callers pass the same array
     *     for the same model version, so an implementation may skip loading it again
     * @param seed of the random choices inside the model, such as dropout masks
     * @return a gradient in an array of its own
     * @throws OutOfMemoryError if the batch needs more memory than there is; a smaller one may do
     */
    Gradient gradient(float[] parameters, Batch batch, long seed);

    /**
     * Bytes that the last gradient held at its most, as far as they grow with the batch; 0 where a
     * learner cannot tell.
     */
    default long workingSet() {
        return 0;
    }

    /**
     * A round of local training by the model's own loop, where {@link Model#ownLoop} says that it
     * has one. The same arguments give the same result.
     *
     * @param parameters where the loop starts, flat; not changed
     */
    default LocalRound.Result train(float[] parameters, LocalRound round) {
        throw new UnsupportedOperationException("the model has no training loop of its own");
    }

    /**
     * Failures of a participant's own code since the last call that did not change a result,
     * because what failed was repeated. They are forgotten then.
     */
    default List<ParticipantException> repeated() {
        return List.of();
    }

    /**
     * Memory of a GPU that a process took.
     *
     * @param host the machine's name
     * @param gpu the GPU's index on that machine, from 0
     * @param name of the GPU's model
     * @param total bytes of the GPU
     * @param process its id on that machine
     * @param allocated bytes of tensors at their most
     * @param reserved bytes at their most that the allocator kept, those of tensors included
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
     * What this learner has taken of a GPU, as of a recent computation; empty if it computes
     * elsewhere. Any thread may ask, also during a computation.
     */
    default Optional<GpuMemory> gpuMemory() {
        return Optional.empty();
    }

    /** Mean loss and scores over a whole data set, buffers used and not updated. */
    Evaluation evaluate(float[] parameters, Dataset data);

    /** The same of parameters that need not be in memory as a whole. */
    default Evaluation evaluate(FlatVector parameters, Dataset data) {
        return evaluate(parameters.all(), data);
    }

    @Override
    void close();
}
