package dev.levee.operators.rounds.coordinator;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.report.RoundTrace;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.ModelDigest;
import dev.levee.operators.rounds.vector.Slices;

import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The state of a coordinator for checkpoints; a copy.
 *
 * @param round the open round
 * @param settings its settings
 * @param open the state of the open round
 * @param dialogue the state of the rule's dialogue about the closed rows, null while rows are
 *     collected
 * @param instruction the last instruction, to be repeated after a restart; null before the first
 * @param lastRows workers whose rows closed the previous round
 * @param ruleState the rule's state
 * @param ledger counts per worker
 * @param applying the last decided round, null once all blocks have applied it
 * @param plan the plan's state
 * @param decidedAt when the last round was decided, microseconds since the epoch; 0 before
 * @param step the report of the last round of workers, as known at its decision; null before the
 *     first
 * @param lastTold the last exchange for which each block of each server was received; empty if the
 *     server waits for all
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
    /** The same state with messages of devices in the open round's secure sum. */
    public CoordinatorState hearing(List<SumMessage> heard) {
        OpenRound.State hearing =
                new OpenRound.State(
                        open.arrivals(),
                        open.faults(),
                        open.timedOut(),
                        open.overtime(),
                        open.admitted(),
                        open.pending(),
                        heard);
        return new CoordinatorState(
                round,
                settings,
                hearing,
                dialogue,
                instruction,
                lastRows,
                ruleState,
                ledger,
                applying,
                plan,
                decidedAt,
                step,
                lastTold);
    }

    /** The state before the first round. */
    public static CoordinatorState initial(Training training, Slices slices, int server) {
        return opening(
                training,
                slices,
                server,
                0,
                training.settings(server, 0),
                new int[0],
                RuleState.NONE,
                new Ledger(training.ids()),
                PlanState.NONE,
                null);
    }

    /** The state of a run that continues from a version of which only the memory is known. */
    public static CoordinatorState adopted(
            Training training, Slices slices, int server, CoordinatorMemory memory) {
        return adopted(training, slices, server, memory.version(), memory);
    }

    /**
     * The state at another version than the memory's.
     *
     * @param version the version in this run: a last published version opens another round if the
     *     run continues for longer
     */
    public static CoordinatorState adopted(
            Training training, Slices slices, int server, long version, CoordinatorMemory memory) {
        Plan plan = training.plan();
        return opening(
                training,
                slices,
                server,
                version,
                training.settings(server, version, memory.plan()),
                lastRows(training, memory.last()),
                memory.ruleState(),
                new Ledger(training.ids(), memory.counts()),
                plan.remembers()
                        ? memory.plan()
                        : plan.stateAt(training, training.moment(version).iteration()),
                memory.last());
    }

    /** The senders of the last round's rows; empty if they are servers, which never repeat rows. */
    private static int[] lastRows(Training training, RoundReport last) {
        return last == null || training.topology().exchanges() ? new int[0] : last.rows();
    }

    /** The state of a round that has just opened. */
    private static CoordinatorState opening(
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
                LastExchanges.initial(training, slices.count()));
    }

    /**
     * A decided round that shards are applying.
     *
     * @param report its report so far
     * @param blocks blocks that have applied it
     * @param spread the distances between rows that these blocks have reported, by block; empty if
     *     not asked for
     * @param evidence the trace for a log, null if there is none
     */
    public record Applying(
            RoundReport report,
            BitSet blocks,
            SortedMap<Integer, LookResult> spread,
            Evidence evidence) {
        /**
         * The state of a round that no block has applied yet.
         *
         * @param evidence null if no log is kept
         */
        static Applying of(RoundReport report, Evidence evidence) {
            return new Applying(report, new BitSet(), new TreeMap<>(), evidence);
        }

        Applying copy() {
            return new Applying(
                    report,
                    (BitSet) blocks.clone(),
                    new TreeMap<>(spread),
                    evidence == null ? null : evidence.copy());
        }

        /** The round's entry in a log, once all blocks have applied it. */
        RoundTrace trace() {
            double[] distances = evidence.distances();
            if (distances.length == 0 && !spread.isEmpty()) {
                LookResult all = LookResult.sum(spread.values().toArray(new LookResult[0]));
                distances = RoundTrace.nearest(all, report.rows().length);
            }
            return new RoundTrace(
                    evidence.asked(),
                    evidence.losses(),
                    distances,
                    ModelDigest.ofBlocks(evidence.digests().values()));
        }
    }

    /**
     * Evidence of a decided round, for a log of rounds.
     *
     * @param asked ids of the participants
     * @param losses by row
     * @param distances as in {@link RoundTrace}; empty if they were not measured as rows arrived
     * @param digests digests of the blocks that have applied the round
     */
    public record Evidence(
            int[] asked, double[] losses, double[] distances, SortedMap<Integer, byte[]> digests) {
        /** The evidence of a round of workers whose rows are fixed; null without a log. */
        static Evidence ifAudited(Training training, OpenRound open, OpenRound.Rows rows) {
            if (!training.audited() || !open.moment().ofWorkers()) {
                return null;
            }
            int[] places = rows.places();
            int members = open.settings().workers();
            Look known =
                    training.admission()
                            .measured(open.rule().look(), members, open.arrivals().blockCount());
            return new Evidence(
                    IntStream.range(0, members).map(open.settings().cohort()::id).toArray(),
                    open.arrivals().losses(places),
                    RoundTrace.sees(known)
                            ? RoundTrace.nearest(open.arrivals().looked(places), places.length)
                            : new double[0],
                    new TreeMap<>());
        }

        Evidence copy() {
            return new Evidence(asked, losses, distances, new TreeMap<>(digests));
        }
    }
}
