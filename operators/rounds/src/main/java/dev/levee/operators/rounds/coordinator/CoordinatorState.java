package dev.levee.operators.rounds.coordinator;

import dev.levee.gar.Looked;
import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;

import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything a coordinator has to remember; a copy of its own.
 *
 * @param round the open round
 * @param settings its settings
 * @param open what has come for it
 * @param dialogue how far the rule has got with its closed rows, null while rows are collected
 * @param instruction the last instruction, to be repeated after a restart; null before the first
 * @param lastRows workers whose rows closed the previous round
 * @param ruleState what the rule carries
 * @param ledger counts per worker
 * @param applying the last round decided, until all blocks have applied it; null after
 * @param plan what the plan carries
 * @param decidedAt when the last round was decided, microseconds since the epoch; 0 before
 * @param step the report of the last round of workers, as far as it was known when it was decided;
 *     null before
 * @param lastTold which exchange each block of each server has told this server of last, where it
 *     does not wait for all; else empty
 */
public record CoordinatorState(
        long round,
        Settings settings,
        OpenRound.State open,
        RuleDialogue.State dialogue,
        Instruction instruction,
        int[] lastRows,
        RuleState ruleState,
        Ledger ledger,
        Applying applying,
        PlanState plan,
        long decidedAt,
        RoundReport step,
        long[] lastTold) {

    /** The state in which a round opens of which nothing but this is known. */
    static CoordinatorState opening(
            Training training,
            Slices slices,
            int server,
            long round,
            Settings settings,
            int[] lastRows,
            RuleState ruleState,
            Ledger ledger,
            PlanState plan,
            RoundReport step) {
        return new CoordinatorState(
                round,
                settings,
                OpenRound.State.empty(
                        training, training.rule(server, round), round, settings, slices.count()),
                null,
                null,
                lastRows,
                ruleState,
                ledger,
                null,
                plan,
                0,
                step,
                LastTold.initial(training, slices.count()));
    }

    /**
     * A decided round that shards are applying.
     *
     * @param report its report so far
     * @param blocks blocks that have applied it
     * @param spread what these have said of how far servers were apart, by block; empty where
     *     nobody asked
     */
    public record Applying(RoundReport report, BitSet blocks, SortedMap<Integer, Looked> spread) {
        Applying copy() {
            return new Applying(report, (BitSet) blocks.clone(), new TreeMap<>(spread));
        }
    }
}
