package dev.levee.operators.rounds;

import java.util.function.Consumer;

/**
 * Messages between the stages of a worker's pipeline in one step, which is one gradient. The worker
 * itself, which begins the step and assembles the gradient, has the address of the stage after the
 * last one.
 */
public sealed interface StageMessage extends LoopMessage {
    /** The worker whose pipeline it is. */
    int worker();

    /** Number of the worker's step; later steps have larger numbers. */
    long step();

    /** The stage that it is for, from 0. */
    int stage();

    /** Messages of stages have no round; this is the number of their step. */
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
     * A step begins; numbers follow.
     *
     * @param version the version of the model whose parameters the stage has from the server; −1 if
     *     they come from the worker
     * @param after the round whose contribution the step continues from, where stages keep what
     *     they sent; −1 if it begins
     * @param ends for each micro-batch the index of the sample behind its last one
     * @param seed of the random choices inside the model
     * @param labels the labels of all samples, for the last stage; null for others
     * @param targets the same
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
     * A block of the server's model, to one of the stages in a place that have parameters of it.
     *
     * @param worker whose stage it is
     */
    record Model(int worker, int stage, ModelBlock block) implements StageMessage {
        /** The version of the model, as no step has begun. */
        @Override
        public long step() {
            return block.round();
        }
    }

    /** Meaning of the numbers. */
    enum Content {
        /** The stage's parameters. */
        PARAMETERS,
        /** Samples of a micro-batch, or what the stage before has made of them. */
        INPUTS,
        /** The gradient of a micro-batch's loss by the stage's outputs. */
        SLOPES,
        /**
         * The gradient by the sending stage's parameters, with the new values of its buffers, as
         * far as the worker sends it on.
         */
        GRADIENT
    }

    /**
     * A part of a vector.
     *
     * @param part index of the micro-batch; of a gradient, the sending stage
     * @param length the length of the whole vector
     * @param offset where in the whole vector these numbers begin
     * @param array has them from {@code from}, {@code count} of them; never written after
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
        /** Numbers in a record at most, as in a block of a model. */
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
     * A stage has done its step; to the worker, behind its part of the gradient.
     *
     * @param from the stage
     * @param loss mean loss of all samples if it is the last stage, else 0
     */
    record Ended(int worker, long step, int stage, int from, double loss) implements StageMessage {}
}
