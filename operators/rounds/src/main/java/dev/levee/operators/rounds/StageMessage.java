package dev.levee.operators.rounds;

import java.util.function.Consumer;

/**
 * A message between stages of a worker's pipeline. One step computes one gradient. The worker
 * begins the step and assembles the gradient; its address is one above that of the last stage.
 */
public sealed interface StageMessage extends LoopMessage {
    /** The worker that the pipeline belongs to. */
    int worker();

    /** Number of the worker's step; later steps have larger numbers. */
    long step();

    /** The stage that the message is for, from 0. */
    int stage();

    /** The number of the step, because messages between stages have no round. */
    @Override
    default long round() {
        return step();
    }

    @Override
    default ShardId shard() {
        return null;
    }

    @Override
    default Replaces replaces() {
        return Replaces.NOTHING;
    }

    /**
     * Begins a step. Messages with the step's numbers follow.
     *
     * @param version the version of the model whose parameters the stage receives from the server;
     *     −1 if it receives them from the worker
     * @param after the round whose contribution the step continues from, if stages keep their
     *     contributions; −1 if it continues from none
     * @param ends for each micro-batch, the index after its last sample
     * @param seed seed of the random choices inside the model
     * @param labels the labels of all samples, for the last stage; null for others
     * @param targets the targets of all samples, for the last stage; null for others
     */
    record Begin(
            int worker,
            long step,
            int stage,
            long version,
            long after,
            int[] ends,
            long seed,
            int[] labels,
            float[] targets)
            implements StageMessage {}

    /**
     * Brings a block of the server's model to one of a host's stages with parameters in that block.
     *
     * @param worker whose stage it is
     */
    record Model(int worker, int stage, ModelBlock block) implements StageMessage {
        /** The version of the model, because no step has begun yet. */
        @Override
        public long step() {
            return block.round();
        }
    }

    /** The meaning of the numbers in a message. */
    enum Content {
        /** The stage's parameters. */
        PARAMETERS,
        /** Samples of a micro-batch, or the outputs of the previous stage for them. */
        INPUTS,
        /** The gradient of a micro-batch's loss by the stage's outputs. */
        SLOPES,
        /**
         * The gradient by the sending stage's parameters, and the new values of its buffers; only
         * the part that the worker sends on.
         */
        GRADIENT
    }

    /**
     * A part of a vector.
     *
     * @param part index of the micro-batch; of a gradient, the sending stage
     * @param length the length of the whole vector
     * @param offset where in the whole vector these numbers begin
     * @param array holds {@code count} numbers from index {@code from} on; never written after
     *     construction
     */
    record Floats(
            int worker,
            long step,
            int stage,
            Content content,
            int part,
            int length,
            int offset,
            float[] array,
            int from,
            int count)
            implements StageMessage {
        /** Most numbers in a record, as in a block of a model. */
        private static final int MOST = 1 << 17;

        /** Sends a range of an array as one vector, in parts. */
        public static void send(
                int worker,
                long step,
                int stage,
                Content content,
                int part,
                float[] array,
                int from,
                int length,
                Consumer<StageMessage> out) {
            for (int offset = 0; offset < length; offset += MOST) {
                int count = Math.min(MOST, length - offset);
                out.accept(
                        new Floats(
                                worker,
                                step,
                                stage,
                                content,
                                part,
                                length,
                                offset,
                                array,
                                from + offset,
                                count));
            }
        }
    }

    /**
     * Tells the worker that a stage has ended its step; sent after the stage's part of the
     * gradient.
     *
     * @param from the stage
     * @param loss mean loss of all samples if it is the last stage, else 0
     */
    record Ended(int worker, long step, int stage, int from, double loss) implements StageMessage {}
}
