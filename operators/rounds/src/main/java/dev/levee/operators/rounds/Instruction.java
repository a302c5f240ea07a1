package dev.levee.operators.rounds;

import dev.levee.gar.Look;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.operators.rounds.securesum.SumOutcome;

import java.util.BitSet;
import java.util.List;

/** A coordinator's message to the shards of its server. Every block gets the same rows. */
public sealed interface Instruction extends LoopMessage {
    /** The same instruction for another shard. */
    Instruction to(ShardId other);

    /** An instruction about the rows that close a round. */
    sealed interface OfRows extends Instruction {
        /** The workers whose rows the instruction is about, ascending. */
        int[] rows();

        /** The versions of the model that these rows answer, in the same order. */
        long[] bases();
    }

    /** The end of a round: aggregate, step, publish. */
    sealed interface Close extends OfRows {
        /** Settings of the next round. */
        Settings next();
    }

    /**
     * Admits contributions to the round for good, so a shard that only sums may add up their rows
     * and discard them.
     *
     * @param places their places in the round's cohort, with those of earlier instructions
     */
    record Admit(long round, ShardId shard, BitSet places) implements Instruction {
        @Override
        public Admit to(ShardId other) {
            return new Admit(round, other, places);
        }
    }

    /**
     * Asks shards to measure linear combinations of rows.
     *
     * @param phase number of this look in its round
     * @param rows the workers whose rows the map's columns stand for
     */
    record LookAgain(
            long round, ShardId shard, int phase, int[] rows, long[] bases, RowMap map, Look look)
            implements OfRows {
        @Override
        public LookAgain to(ShardId other) {
            return new LookAgain(round, other, phase, rows, bases, map, look);
        }
    }

    /**
     * Closes the round with a map of rows and a reduction.
     *
     * @param rows the workers whose rows the map's first columns stand for
     * @param references the references that the map's columns after the rows stand for
     */
    record Decide(
            long round,
            ShardId shard,
            int[] rows,
            long[] bases,
            RowMap map,
            List<Reference> references,
            Reduction reduction,
            Settings next)
            implements Close {
        @Override
        public Decide to(ShardId other) {
            return new Decide(round, other, rows, bases, map, references, reduction, next);
        }
    }

    /**
     * Closes the round with the weighted mean of rows, for rules that compute only that. Without
     * rows, the model does not change.
     *
     * @param masks that remain on the sum of the rows; empty if rows are not masked
     */
    record Average(
            long round,
            ShardId shard,
            int[] rows,
            long[] bases,
            List<SumOutcome.Mask> masks,
            Settings next)
            implements Close {
        @Override
        public Average to(ShardId other) {
            return new Average(round, other, rows, bases, masks, next);
        }
    }
}
