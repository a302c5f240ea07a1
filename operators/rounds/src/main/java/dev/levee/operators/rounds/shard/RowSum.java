package dev.levee.operators.rounds.shard;

import dev.levee.gar.block.WeightedSum;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.PartialSum;
import dev.levee.operators.rounds.securesum.MaskedSum;
import dev.levee.operators.rounds.securesum.SumOutcome;

import java.util.List;

/**
 * Adds up rows of one block as they arrive, so memory does not depend on their number. Rows are
 * weighted numbers or masked integers.
 */
public sealed interface RowSum {
    /** Adds a row. */
    void add(GradientBlock row);

    /** Adds the rows of a partial sum. */
    void add(PartialSum partial);

    /** Copies the sum. */
    RowSum copy();

    /**
     * The mean of the rows.
     *
     * @param weights the weights of all rows together
     * @param masks the masks that remain on the sum
     * @param offset the offset of the block in the whole vector
     */
    float[] mean(double weights, List<SumOutcome.Mask> masks, int offset);

    /** A sum of numbers, multiplied by the rows' weights. */
    record Weighted(WeightedSum sum) implements RowSum {
        @Override
        public void add(GradientBlock row) {
            sum.add(row.array(), row.from(), row.weight());
        }

        @Override
        public void add(PartialSum partial) {
            sum.add(partial.sum());
        }

        @Override
        public RowSum copy() {
            return new Weighted(sum.copy());
        }

        @Override
        public float[] mean(double weights, List<SumOutcome.Mask> masks, int offset) {
            float[] mean = new float[sum.length()];
            sum.over(weights, mean);
            return mean;
        }
    }

    /** A sum of masked integers, which devices have multiplied by their weights. */
    record Masked(MaskedSum sum) implements RowSum {
        @Override
        public void add(GradientBlock row) {
            sum.add(row.array(), row.from());
        }

        @Override
        public void add(PartialSum partial) {
            throw new IllegalArgumentException("rows under masks come one by one");
        }

        @Override
        public RowSum copy() {
            return new Masked(MaskedSum.of(sum.values()));
        }

        @Override
        public float[] mean(double weights, List<SumOutcome.Mask> masks, int offset) {
            MaskedSum unmasked = MaskedSum.of(sum.values());
            unmasked.remove(masks, offset);
            int[] values = unmasked.values();
            float[] mean = new float[values.length];
            for (int i = 0; i < mean.length; i++) {
                mean[i] = (float) (values[i] / weights);
            }
            return mean;
        }
    }
}
