package dev.levee.operators.rounds;

import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;

import java.io.Serializable;
import java.util.BitSet;
import java.util.Map;

/**
 * Everything the coordinator has to remember; a copy of its own.
 *
 * @param round the open round
 * @param settings its settings
 * @param arrivals what has arrived for it
 * @param faults workers proven faulty in it, and why
 * @param timedOut true if its timeout has passed without enough rows
 * @param closing how far the rule has got with the closed rows, null while rows are collected
 * @param instruction the last instruction, to be repeated after a restart; null before the first
 * @param ruleState what the rule carries
 * @param tally counts per worker
 * @param applying the last round decided, until all blocks have applied it; null after
 * @param elastic what an elastic run remembers besides
 */
public record CoordinatorState(
        long round,
        Settings settings,
        Arrivals arrivals,
        Map<Integer, Rejection> faults,
        boolean timedOut,
        Closing closing,
        Instruction instruction,
        RuleState ruleState,
        Tally tally,
        Applying applying,
        ElasticState elastic)
        implements Serializable {

    /**
     * A closed round that the rule is still looking at.
     *
     * @param rows the rows, in order
     * @param f Byzantine rows to tolerate among them
     * @param phase the phase whose looks are awaited
     * @param decidePhase the phase the rule will be told
     * @param map the mixed rows being looked at
     * @param look what is being measured
     * @param shares what came, by block; null where missing
     */
    record Closing(
            int[] rows, int f, int phase, int decidePhase, RowMap map, Look look, Looked[] shares)
            implements Serializable {
        Closing copy() {
            return new Closing(rows, f, phase, decidePhase, map, look, shares.clone());
        }
    }

    /**
     * A decided round that shards are applying.
     *
     * @param report its report so far
     * @param blocks blocks that have applied it
     */
    record Applying(RoundReport report, BitSet blocks) implements Serializable {
        Applying copy() {
            return new Applying(report, (BitSet) blocks.clone());
        }
    }
}
