package dev.levee.operators.rounds;

import dev.levee.gar.Look;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;

import java.util.List;

/** What the coordinator tells the shards. Every block gets the same rows and the same map. */
public sealed interface Instruction extends LoopMessage {
    /** The workers whose rows the map's columns stand for, in order. */
    int[] rows();

    /** The same instruction for another block. */
    Instruction forBlock(int block);

    /**
     * Look at mixed rows.
     *
     * @param phase number of this look in its round
     */
    record LookAgain(long round, int block, int phase, int[] rows, RowMap map, Look look)
            implements Instruction {
        @Override
        public LookAgain forBlock(int other) {
            return new LookAgain(round, other, phase, rows, map, look);
        }
    }

    /**
     * Close the round: reduce, step, publish.
     *
     * @param references what the map's columns behind the rows stand for
     * @param next settings of the next round
     */
    record Decide(
            long round,
            int block,
            int[] rows,
            RowMap map,
            List<Reference> references,
            Reduction reduction,
            Settings next)
            implements Instruction {
        @Override
        public Decide forBlock(int other) {
            return new Decide(round, other, rows, map, references, reduction, next);
        }
    }
}
