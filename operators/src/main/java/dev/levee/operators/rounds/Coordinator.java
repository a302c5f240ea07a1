package dev.levee.operators.rounds;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;
import dev.levee.operators.Rejection;
import dev.levee.operators.RoundReport;
import dev.levee.operators.RunFailedException;
import dev.levee.operators.Training;
import dev.levee.operators.WorkerCounts;

import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Closes rounds, for every rule and every block alike: the first q complete gradients or a timeout
 * fix the rows, the shards' looks and the rule fix what is made of them. Handles small numbers
 * only. Single-threaded; knows no engine.
 */
public final class Coordinator {
    /** Where the coordinator's output goes. */
    public interface Output {
        /** Tells the shard of one block, over the loop edge. */
        void instruct(Instruction instruction);

        /** A round is over: all blocks have applied it. */
        void finished(RoundReport report);

        /** A round is open, for whoever keeps what belongs to its model; repeated by a restart. */
        default void opened(CoordinatorMemory memory) {}
    }

    /** Added to the timeout of the first round after a start: processes load models and data. */
    static final Duration START_GRACE = Duration.ofSeconds(10);

    private final Training training;
    private final int blocks;
    private final boolean patient;
    private final Output output;
    private final LongSupplier micros;

    private long round;
    private Settings settings;
    private Arrivals arrivals;
    private Faults faults;
    private boolean timedOut;
    private CoordinatorState.Closing closing;
    private Instruction instruction;
    private RuleState ruleState;
    private final Tally tally;
    private final Elastic elastic;
    private CoordinatorState.Applying applying;

    private long deadline = -1;
    private boolean started;
    private RoundTimes times = new RoundTimes(-1);
    private RoundTimes applyingTimes = new RoundTimes(-1);

    /**
     * A coordinator that goes on from a state.
     *
     * @param patient true if a round whose timeout finds more than f workers missing goes on
     *     waiting, because workers and what lies between may come and go; false if it stops the run
     * @param micros microseconds since the epoch
     */
    public Coordinator(
            Training training,
            Slices slices,
            CoordinatorState state,
            boolean patient,
            Output output,
            LongSupplier micros) {
        this.training = training;
        this.blocks = slices.count();
        this.patient = patient;
        this.output = output;
        this.micros = micros;
        this.round = state.round();
        this.settings = state.settings();
        this.arrivals = state.arrivals().copy();
        this.faults = new Faults(state.faults(), training.roundTimeout());
        this.timedOut = state.timedOut();
        this.closing = state.closing() == null ? null : state.closing().copy();
        this.instruction = state.instruction();
        this.ruleState = state.ruleState();
        this.tally = state.tally().atLeast(training.mostWorkers());
        this.applying = state.applying() == null ? null : state.applying().copy();
        this.elastic = new Elastic(training, state.elastic());
    }

    /** The state before the first round. */
    public static CoordinatorState initial(Training training, Slices slices) {
        return new CoordinatorState(
                0,
                Settings.of(training, 0),
                new Arrivals(training.rule().look(), training.workers(), slices.count()),
                Map.of(),
                false,
                null,
                null,
                RuleState.NONE,
                new Tally(training.mostWorkers()),
                null,
                ElasticState.NONE);
    }

    /** The state in which a version opens a round, when nothing but its memory is known. */
    public static CoordinatorState adopted(
            Training training, Slices slices, CoordinatorMemory memory) {
        return new CoordinatorState(
                memory.version(),
                Settings.of(training, memory.version()),
                new Arrivals(training.rule().look(), training.workers(), slices.count()),
                Map.of(),
                false,
                null,
                null,
                memory.ruleState(),
                new Tally(training.mostWorkers(), memory.counts()),
                null,
                ElasticState.NONE);
    }

    /** What has to be remembered now. */
    public CoordinatorState snapshot() {
        return new CoordinatorState(
                round,
                settings,
                arrivals.copy(),
                faults.snapshot(),
                timedOut,
                closing == null ? null : closing.copy(),
                instruction,
                ruleState,
                tally.copy(),
                applying == null ? null : applying.copy(),
                elastic.snapshot());
    }

    /**
     * Tells how many subtasks the job runs on, which is how many workers an elastic run has from
     * the next round on.
     */
    public void runsOn(int subtasks) {
        elastic.runsOn(subtasks);
    }

    /**
     * Takes a control, which holds from the next round on that it allows.
     *
     * @return false if it is not newer than the one in force
     */
    public boolean control(Control control) {
        return elastic.control(control);
    }

    /** How the run performs. */
    public Performance performance() {
        return elastic.performance(settings);
    }

    /**
     * Repeats the last instruction: after every start, since the loop edge forgets. The clock of
     * the open round starts anew if something has arrived for it, else with its first arrival, so a
     * restore never fires a timeout and never loses one.
     */
    public void restart() {
        deadline = -1;
        if (training.roundTimeout() != null && closing == null && !timedOut && arrivals.any()) {
            arm();
        }
        if (instruction != null) {
            instructAll();
        }
        announce(applying == null ? null : applying.report());
    }

    private void announce(RoundReport last) {
        output.opened(new CoordinatorMemory(round, ruleState, tally.counts(), last));
    }

    /** When {@link #tick} wants to be called, microseconds since the epoch. */
    public OptionalLong deadline() {
        return deadline < 0 ? OptionalLong.empty() : OptionalLong.of(deadline);
    }

    /** The open round. */
    public long round() {
        return round;
    }

    /** Number of complete gradients of the open round. */
    public int answered() {
        return arrivals.completeCount();
    }

    /** Counts per worker so far. */
    public List<WorkerCounts> counts() {
        return tally.counts();
    }

    /** Takes a shard's report. */
    public void report(ShardReport report) {
        if (report instanceof ShardReport.Arrived arrived) {
            arrived(arrived);
        } else if (report instanceof ShardReport.Dropped dropped) {
            dropped(dropped);
        } else if (report instanceof ShardReport.Seen seen) {
            seen(seen);
        } else if (report instanceof ShardReport.Applied applied) {
            applied(applied);
        } else if (report instanceof ShardReport.Refused refused) {
            tally.refused(refused.worker(), refused.reason(), refused.records());
        } else if (report instanceof ShardReport.Computed computed) {
            elastic.computed(computed, round, settings);
        }
    }

    /** Lets the round's timeout pass if it is due. */
    public void tick() {
        if (deadline < 0 || micros.getAsLong() < deadline || closing != null) {
            return;
        }
        deadline = -1;
        if (training.synchronous()) {
            int missing = settings.workers() - arrivals.completeCount() - faults.count();
            if (patient && missing > settings.f() - faults.count()) {
                return; // the clock starts anew with the next gradient
            }
            for (int worker = 0; worker < settings.workers(); worker++) {
                if (!arrivals.arrived(worker) && !faults.contains(worker)) {
                    fault(worker, Rejection.MISSING);
                }
            }
        }
        timedOut = true;
        closeIfReady();
    }

    private void arrived(ShardReport.Arrived arrived) {
        if (arrived.round() < round || closing != null) {
            // It reached its shard in time, but its gradient was not among those that closed the
            // round.
            boolean counted =
                    closing != null
                            && arrived.round() == round
                            && Arrays.binarySearch(closing.rows(), arrived.worker()) >= 0;
            if (!counted && !wasCounted(arrived)) {
                tally.rejected(arrived.round(), round, arrived.worker(), Rejection.LATE);
            }
            return;
        }
        if (faults.contains(arrived.worker())) {
            return;
        }
        arrivals.add(arrived);
        times.arrived(arrived, micros.getAsLong());
        if (deadline < 0 && !timedOut && training.roundTimeout() != null) {
            arm();
        }
        closeIfReady();
    }

    /** True for a repeated report of a row that closed the previous round. */
    private boolean wasCounted(ShardReport.Arrived arrived) {
        return instruction != null
                && instruction.round() == arrived.round()
                && Arrays.binarySearch(instruction.rows(), arrived.worker()) >= 0;
    }

    private void dropped(ShardReport.Dropped dropped) {
        tally.rejected(dropped.round(), round, dropped.worker(), dropped.reason());
        boolean proof =
                switch (dropped.reason()) {
                    case NON_FINITE, WRONG_SIZE, CONTRADICTORY -> true;
                    default -> false;
                };
        if (proof && dropped.round() == round && closing == null) {
            fault(dropped.worker(), dropped.reason());
            closeIfReady();
        }
    }

    private void fault(int worker, Rejection reason) {
        if (reason == Rejection.MISSING) {
            tally.rejected(round, round, worker, reason);
        }
        arrivals.refuse(worker);
        faults.add(worker, reason, round, settings.f());
    }

    private void closeIfReady() {
        if (closing != null || settings.stop()) {
            return;
        }
        int complete = arrivals.completeCount();
        int able = settings.workers() - faults.count();
        int f = settings.f() - faults.count();
        boolean ready =
                complete >= Math.min(settings.quorum(), able)
                        || (timedOut && complete >= training.rule().minimumRows(f));
        if (!ready || complete == 0) {
            return;
        }
        int[] rows = arrivals.complete();
        if (rows.length < training.rule().minimumRows(f)) {
            throw new RunFailedException(
                    "round "
                            + round
                            + " closed with "
                            + rows.length
                            + " gradients, but "
                            + training.rule().name()
                            + " needs "
                            + training.rule().limit()
                            + " with f = "
                            + f);
        }
        for (String id : training.rule().trusted()) {
            if (IntStream.of(rows).mapToObj(Round::worker).noneMatch(id::equals)) {
                if (complete < able && !timedOut) {
                    return; // the trusted worker may still answer
                }
                throw new RunFailedException(
                        "round %d has no gradient of %s, which %s trusts"
                                .formatted(round, id, training.rule().name()));
            }
        }
        deadline = -1;
        Look look = training.rule().look();
        RowMap identity = RowMap.identity(rows.length, rows.length);
        closing = new CoordinatorState.Closing(rows, f, 0, 0, identity, look, new Looked[blocks]);
        if (look.incremental()) {
            step(arrivals.looked(rows));
        } else {
            ask(0, identity, look);
        }
    }

    private void ask(int decidePhase, RowMap map, Look look) {
        closing =
                new CoordinatorState.Closing(
                        closing.rows(),
                        closing.f(),
                        closing.phase() + 1,
                        decidePhase,
                        map,
                        look,
                        new Looked[blocks]);
        instruction =
                new Instruction.LookAgain(round, 0, closing.phase(), closing.rows(), map, look);
        instructAll();
    }

    private void seen(ShardReport.Seen seen) {
        if (closing == null || seen.round() != round || seen.phase() != closing.phase()) {
            return;
        }
        closing.shares()[seen.block()] = seen.share();
        times.seen(micros.getAsLong());
        for (Looked share : closing.shares()) {
            if (share == null) {
                return;
            }
        }
        step(BlockKernels.sum(closing.shares()));
    }

    private void step(Looked looked) {
        Round context =
                new Round(closing.rows().length, closing.f(), round, training.seed())
                        .withWorkers(closing.rows());
        Step step =
                training.rule()
                        .decide(closing.decidePhase(), closing.map(), looked, context, ruleState);
        if (step instanceof Step.LookAgain again) {
            ask(closing.decidePhase() + 1, again.map(), again.look());
        } else if (step instanceof Step.Reduce reduce) {
            decide(reduce);
        }
    }

    private void decide(Step.Reduce reduce) {
        int[] rows = closing.rows();
        long now = micros.getAsLong();
        Settings next = elastic.next(settings, round + 1, now);
        instruction =
                new Instruction.Decide(
                        round,
                        0,
                        rows,
                        reduce.map(),
                        closing.look().references(),
                        reduce.reduction(),
                        next);
        ruleState = reduce.state();
        BitSet selected = new BitSet();
        for (int i = 0; i < rows.length; i++) {
            tally.accepted(rows[i]);
            if (reduce.map().uses(i)) {
                tally.selected(rows[i]);
                selected.set(rows[i]);
            }
        }
        int[] selectedRows = selected.stream().toArray();
        times.decided(now);
        if (applying != null) {
            // Only where reports overtake one another; nothing is lost but its last times.
            finishReport(now);
        }
        applyingTimes = times;
        applying =
                new CoordinatorState.Applying(
                        new RoundReport(
                                round,
                                now / 1000,
                                0,
                                new double[0],
                                arrivals.meanLoss(selectedRows),
                                settings.learningRate(),
                                settings.batchSize(),
                                rows,
                                selectedRows,
                                faults.workers()),
                        new BitSet());
        open(round + 1, next);
        instructAll();
        announce(applying.report());
    }

    private void open(long next, Settings nextSettings) {
        // Workers that come in load models and data, as all do in the first round after a start.
        started = nextSettings.workers() <= settings.workers();
        round = next;
        settings = nextSettings;
        arrivals = new Arrivals(training.rule().look(), settings.workers(), blocks);
        faults = new Faults(Map.of(), training.roundTimeout());
        timedOut = false;
        closing = null;
        times = new RoundTimes(-1);
        tally.forget(round);
    }

    private void arm() {
        // The timeout was meant for the batch that the run started with.
        long times = Math.max(1, -Math.floorDiv(-settings.batchSize(), training.batchSize()));
        Duration timeout = training.roundTimeout().multipliedBy(times);
        Duration patience = started ? timeout : timeout.plus(START_GRACE);
        deadline = micros.getAsLong() + patience.toNanos() / 1000;
    }

    private void applied(ShardReport.Applied applied) {
        if (applying == null || applied.round() != applying.report().round()) {
            return;
        }
        applying.blocks().set(applied.block());
        applyingTimes.applied(applied);
        if (applying.blocks().cardinality() < blocks) {
            return;
        }
        long now = micros.getAsLong();
        finishReport(now);
        times.opened(now);
        boolean waits = training.roundTimeout() != null && !settings.stop();
        if (waits && closing == null && !timedOut) {
            // The models are out only now: a slow reduction is nobody's fault.
            arm();
        }
    }

    private void finishReport(long now) {
        RoundReport report = applying.report();
        output.finished(
                new RoundReport(
                        report.round(),
                        report.decidedAt(),
                        applyingTimes.seconds(now),
                        applyingTimes.byPhase(now),
                        report.loss(),
                        report.learningRate(),
                        report.batchSize(),
                        report.rows(),
                        report.selected(),
                        report.faults()));
        applying = null;
    }

    private void instructAll() {
        for (int block = 0; block < blocks; block++) {
            output.instruct(instruction.forBlock(block));
        }
    }
}
