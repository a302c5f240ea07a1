package dev.levee.operators.rounds.shard;

import dev.levee.gar.WeightedSum;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.PartialSum;
import dev.levee.operators.rounds.securesum.MaskedSum;
import dev.levee.operators.rounds.securesum.SumOutcome;

import java.util.List;

/**
 * Rows of one block that are added up as they come, so that memory does not depend on their number:
 * numbers by their weights, or integers under masks.
 */
public sealed interface RowSum {
    /** Adds a row. */
    void add(GradientBlock row);

    /** Adds rows that were added up on their way. */
    void add(PartialSum partial);

    /** A copy of its own. */
    RowSum copy();

    /**
     * The mean of the rows.
     *
     * @param weights the weights of all rows together
     * @param masks that are left on the sum
     * @param offset the offset of the block in the whole vector
     */
    float[] mean(double weights, List<SumOutcome.Mask> masks, int offset);

    /** Numbers, each by its row's weight. */
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

    /** Integers under masks, which their devices have weighed. */
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
