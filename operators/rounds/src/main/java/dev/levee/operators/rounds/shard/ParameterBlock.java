package dev.levee.operators.rounds.shard;

import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.Position;

/**
 * One block of a server's model, with the state of its optimizer. A step creates a new block, so
 * checkpoints and records can share the arrays. It writes only to arrays that are not shared.
 *
 * @param values parameters first, then buffers
 * @param moments the optimizer's vectors
 * @param previous the last aggregate, null if zero or not needed
 */
public record ParameterBlock(float[] values, float[][] moments, float[] previous) {
    /** Tells which arrays of a block are not shared, so that they may be written to. */
    record Own(boolean values, boolean moments) {
        static final Own NOTHING = new Own(false, false);

        /** The arrays that the block owns after a step. */
        Own after(ParameterBlock before, ParameterBlock made) {
            return new Own(
                    values || made.values != before.values,
                    moments || made.moments != before.moments);
        }

        /** The same after the values were shared. */
        Own withoutValues() {
            return new Own(false, moments);
        }
    }

    /** The block before the first step. */
    static ParameterBlock initial(float[] values, Optimizer optimizer) {
        return new ParameterBlock(values, optimizer.initial(values.length), null);
    }

    /** The same block with other values, after an exchange of models. */
    ParameterBlock with(float[] exchanged) {
        return new ParameterBlock(exchanged, moments, previous);
    }

    /** The same block with an aggregate that it has not stepped along yet. */
    ParameterBlock holding(float[] aggregate) {
        return new ParameterBlock(values, moments, aggregate);
    }

    /**
     * Steps along an aggregate. Its values replace the buffers, which follow the trainable
     * coordinates, unless the optimizer steps buffers, too.
     *
     * @param aggregate the round's aggregate, as long as the block
     * @param trainable coordinates that are stepped
     * @param step number of this step, from 0
     * @param keep true if the aggregate is needed in the next round
     * @param own arrays of this block that are not shared, which then become those of the next
     */
    ParameterBlock step(
            Optimizer optimizer,
            float[] aggregate,
            int trainable,
            long step,
            double learningRate,
            boolean keep,
            Own own) {
        Position next =
                new Position(
                        own.values() ? values : new float[values.length],
                        own.moments() ? moments : new float[moments.length][values.length]);
        int stepped = optimizer.stepsBuffers() ? values.length : trainable;
        optimizer.step(new Position(values, moments), aggregate, stepped, step, learningRate, next);
        System.arraycopy(aggregate, stepped, next.x(), stepped, values.length - stepped);
        return new ParameterBlock(next.x(), next.moments(), keep ? aggregate : null);
    }
}
