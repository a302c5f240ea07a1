package dev.levee.operators.rounds.coordinator;

import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ModelDigest;
import dev.levee.operators.rounds.RoundTrace;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;

import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Everything that a coordinator remembers; a copy.
 *
 * @param round the open round
 * @param settings its settings
 * @param open the state of the open round
 * @param dialogue how far the rule has got with its closed rows, null while rows are collected
 * @param instruction the last instruction, to be repeated after a restart; null before the first
 * @param lastRows workers whose rows closed the previous round
 * @param ruleState the rule's state
 * @param ledger counts per worker
 * @param applying the last round decided, until all blocks have applied it; null after
 * @param plan the plan's state
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
    /** The same, whose open round is a secure sum of which this has been heard. */
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

    /** The state in which a version opens a round, when nothing but its memory is known. */
    public static CoordinatorState adopted(
            Training training, Slices slices, int server, CoordinatorMemory memory) {
        return adopted(training, slices, server, memory.version(), memory);
    }

    /**
     * The same of another version than the memory has.
     *
     * @param version which, in this run: what was published last opens another round where the run
     *     continues for longer
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

    /** The senders of the last round's rows, unless servers sent them: they send none again. */
    private static int[] lastRows(Training training, RoundReport last) {
        return last == null || training.topology().exchanges() ? new int[0] : last.rows();
    }

    /** The state in which a round opens of which nothing but this is known. */
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
                LastTold.initial(training, slices.count()));
    }

    /**
     * A decided round that shards are applying.
     *
     * @param report its report so far
     * @param blocks blocks that have applied it
     * @param spread what these have said of how far rows were apart, by block; empty where nobody
     *     asked
     * @param evidence the trace for a log, null if there is none
     */
    public record Applying(
            RoundReport report,
            BitSet blocks,
            SortedMap<Integer, Looked> spread,
            Evidence evidence) {
        /**
         * A round that no block has applied.
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
                Looked all = Looked.sum(spread.values().toArray(new Looked[0]));
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
     * @param asked ids of those who took part
     * @param losses by row
     * @param distances as {@link RoundTrace} has them; empty where they were not measured as the
     *     rows arrived
     * @param digests of the blocks that have applied it
     */
    public record Evidence(
            int[] asked, double[] losses, double[] distances, SortedMap<Integer, byte[]> digests) {
        /** Evidence of a round of workers whose rows are fixed; null if no log asks for it. */
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
