package dev.levee.operators.rounds.coordinator;

import dev.levee.gar.RuleState;
import dev.levee.gar.Step;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.ExchangeReport;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.Takeover;
import dev.levee.operators.rounds.WorkerCounts;
import dev.levee.operators.rounds.plan.Performance;
import dev.levee.operators.rounds.plan.RoundRate;
import dev.levee.operators.rounds.shard.RowWindow;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The coordinator of one server: opens and closes its rounds, for every rule and every block alike.
 * Which rows a round has is for {@link OpenRound} to say, what becomes of them for the rule, whose
 * questions {@link RuleDialogue} takes to the shards, and what comes next for the {@link Plan}.
 * Handles small numbers only. Single-threaded; knows no engine.
 */
public final class Coordinator {
    /** Where the coordinator's output goes. */
    public interface Output {
        /** Tells a shard, over the loop edge. */
        void instruct(Instruction instruction);

        /** A round is over: all blocks have applied it. */
        void finished(RoundReport report);

        /** An exchange between servers is over: all blocks have applied it. */
        default void exchanged(Moment moment, RoundReport report) {}

        /** How far from its own the models were that the server heard in an exchange. */
        default void measured(ExchangeReport report) {}

        /** Workers have begun to read the server. */
        default void takenOver(Takeover takeover) {}

        /**
         * A round of workers is open, for whoever keeps what belongs to its model; repeated by a
         * restart.
         */
        default void opened(Supplier<CoordinatorMemory> memory) {}
    }

    private final Training training;
    private final int server;
    private final int blocks;
    private final boolean patient;
    private final Output output;
    private final Clocks clocks;
    private final Planner planner;
    private final Ledger ledger;
    private final RoundRate rate;
    private final LastTold lastTold;

    private OpenRound open;
    private RuleDialogue dialogue;
    private Instruction instruction;
    private int[] lastRows;
    private RuleState ruleState;
    private ClosedRound closed;
    private RoundReport step;

    /** When the last round of workers was over, −1 if nobody has seen it. */
    private long stepped = -1;

    private RoundTimes times = new RoundTimes(-1);

    /**
     * The clocks that a coordinator reads, in microseconds.
     *
     * @param wall since the epoch, for labels and for comparing with other processes
     * @param monotonic since any moment, for timeouts: it never goes back
     */
    public record Clocks(LongSupplier wall, LongSupplier monotonic) {}

    /**
     * A coordinator that goes on from a state.
     *
     * @param server whose coordinator it is
     * @param patient true if a round whose timeout finds more than f workers missing goes on
     *     waiting, because workers and what lies between may come and go; false if it stops the run
     */
    public Coordinator(
            Training training,
            Slices slices,
            int server,
            CoordinatorState state,
            boolean patient,
            Output output,
            Clocks clocks) {
        this.training = training;
        this.server = server;
        this.blocks = slices.count();
        this.patient = patient;
        this.output = output;
        this.clocks = clocks;
        this.planner = training.plan().planner(training, state.plan());
        this.ledger = state.ledger().atLeast(training.ids());
        this.rate = new RoundRate(state.decidedAt());
        this.lastTold = new LastTold(training, blocks, state.lastTold());
        this.open =
                new OpenRound(
                        training, server, state.round(), state.settings(), true, state.open());
        this.dialogue =
                state.dialogue() == null
                        ? null
                        : RuleDialogue.of(training, open, blocks, state.dialogue());
        this.instruction = state.instruction();
        this.lastRows = state.lastRows();
        this.ruleState = state.ruleState();
        this.closed =
                state.applying() == null
                        ? null
                        : new ClosedRound(
                                training, state.round() - 1, state.applying(), new RoundTimes(-1));
        this.step = state.step();
    }

    /** What has to be remembered now. */
    public CoordinatorState snapshot() {
        return new CoordinatorState(
                open.number(),
                open.settings(),
                open.snapshot(),
                dialogue == null ? null : dialogue.snapshot(),
                instruction,
                lastRows,
                ruleState,
                ledger.copy(),
                closed == null ? null : closed.snapshot(),
                planner.snapshot(),
                rate.decidedAt(),
                step,
                lastTold.snapshot());
    }

    /** Tells how many subtasks the job runs on, from which a plan may make its next settings. */
    public void runsOn(int subtasks) {
        planner.runsOn(subtasks);
    }

    /**
     * Takes a control, which holds from the next round on that it allows.
     *
     * @return false if it is not newer than the one in force
     */
    public boolean control(Control control) {
        return planner.control(control);
    }

    /** How the run performs. */
    public Performance performance() {
        return rate.performance(open.settings(), planner.standing(open.settings()));
    }

    /**
     * Repeats the last instruction: after every start, since the loop edge forgets. The clock of
     * the open round starts anew if something has arrived for it or it has a deadline, else with
     * its first arrival, so a restore never fires a timeout and never loses one.
     */
    public void restart() {
        open.clock().disarm();
        if (dialogue == null) {
            long now = clocks.monotonic().getAsLong();
            open.clock().opened(now);
            open.clock().heard(now);
            if (open.arrivals().any()) {
                open.clock().arm(now);
            }
        }
        if (instruction != null) {
            instructAll();
        }
        announce();
    }

    private void announce() {
        if (open.moment().ofWorkers()) {
            RoundReport last = step;
            PlanState plan = training.plan().remembers() ? planner.snapshot() : PlanState.NONE;
            output.opened(
                    () ->
                            new CoordinatorMemory(
                                    open.number(), ruleState, ledger.counts(), last, plan));
        }
    }

    /** When {@link #tick} wants to be called, by the monotonic clock. */
    public OptionalLong deadline() {
        return open.clock().alarm();
    }

    /** The open round. */
    public long round() {
        return open.number();
    }

    /** Where in the run the open round is. */
    public Moment moment() {
        return open.moment();
    }

    /** Number of complete contributions to the open round. */
    public int answered() {
        return open.arrivals().completeCount();
    }

    /** Counts per worker so far. */
    public List<WorkerCounts> counts() {
        return ledger.counts();
    }

    /** Takes a shard's report. */
    public void report(ShardReport report) {
        if (report instanceof ShardReport.Arrived arrived) {
            arrived(arrived);
        } else if (report instanceof ShardReport.Dropped dropped) {
            dropped(dropped);
        } else if (report instanceof ShardReport.Seen seen) {
            seen(seen);
        } else if (report instanceof ShardReport.Scored scored) {
            scored(scored);
        } else if (report instanceof ShardReport.Applied applied) {
            applied(applied);
        } else if (report instanceof ShardReport.Adopted adopted) {
            adopted(adopted);
        } else if (report instanceof ShardReport.Refused refused) {
            ledger.refused(refused.worker(), refused.reason(), refused.records());
        } else if (report instanceof ShardReport.TakenOver taken) {
            output.takenOver(taken.takeover());
        } else if (report instanceof ShardReport.Computed computed) {
            rate.computed(computed.effort());
            if (computed.round() == open.number()) {
                planner.computed(computed.effort(), open.settings());
            }
        }
    }

    /** Lets the round's timeout pass if it is due. */
    public void tick() {
        long now = clocks.monotonic().getAsLong();
        if (dialogue != null) {
            return;
        }
        open.clock().checkSilence(now, answered());
        if (!open.clock().due(now)) {
            return;
        }
        if (open.settings().missingIsFault()) {
            int[] missing = open.missing();
            if (patient && missing.length > open.f()) {
                return; // the clock starts anew with the next gradient
            }
            for (int worker : missing) {
                ledger.rejected(open.number(), open.number(), worker, Rejection.MISSING);
                open.fault(worker, Rejection.MISSING);
            }
        }
        open.timedOut();
        closeIfReady();
    }

    /** A server has told a block of its model; it may be the one that an exchange waits for. */
    private void told(int sender, int block, long round) {
        if (round <= open.number() && lastTold.told(sender, block, round)) {
            closeIfReady();
        }
    }

    private void arrived(ShardReport.Arrived arrived) {
        boolean fixed = dialogue != null;
        if (open.intake().late(arrived, fixed)) {
            late(arrived);
        } else if (open.intake().arrived(arrived, fixed)) {
            times.arrived(arrived, clocks.wall().getAsLong());
            long now = clocks.monotonic().getAsLong();
            open.clock().armOnce(now);
            open.clock().heard(now);
            closeIfReady();
            admit();
        }
        told(arrived.worker(), arrived.shard().block(), arrived.base());
    }

    /**
     * A row reached its shard in time, but was not among those that closed the round. A repeated
     * report of one that was is nothing new.
     */
    private void late(ShardReport.Arrived arrived) {
        int[] rows =
                arrived.round() == open.number()
                        ? dialogue.rows().ids()
                        : arrived.round() == open.number() - 1 ? lastRows : new int[0];
        if (Arrays.binarySearch(rows, arrived.worker()) < 0) {
            ledger.rejected(arrived.round(), open.number(), arrived.worker(), Rejection.LATE);
        }
    }

    private void admit() {
        BitSet places = dialogue == null ? open.admit() : null;
        if (places != null) {
            instruction = new Instruction.Admit(open.number(), shard(0), places);
            instructAll();
        }
    }

    private void dropped(ShardReport.Dropped dropped) {
        ledger.rejected(dropped.round(), open.number(), dropped.worker(), dropped.reason());
        if (dropped.reason().proof() && dropped.round() == open.number() && dialogue == null) {
            open.fault(dropped.worker(), dropped.reason());
            closeIfReady();
        }
        told(dropped.worker(), dropped.shard().block(), dropped.round());
    }

    private void scored(ShardReport.Scored scored) {
        int place = open.settings().cohort().place(scored.worker());
        if (scored.round() == open.number() && place >= 0) {
            open.arrivals().score(place, scored.score());
            decideIfReady();
        }
    }

    /**
     * Closes the open round if it can be: not before all shards have applied the one before, for a
     * restart repeats no more than the last instruction.
     */
    private void closeIfReady() {
        boolean may = dialogue == null && closed == null && lastTold.allBefore(open.number());
        OpenRound.Rows rows = may ? open.close() : null;
        if (rows == null) {
            return;
        }
        if (RowWindow.sums(training, server, open.number(), open.settings())) {
            average(rows);
            return;
        }
        dialogue = RuleDialogue.begin(training, open, blocks, rows);
        ask();
        decideIfReady();
    }

    private void ask() {
        Instruction question = dialogue.question(shard(0));
        if (question != null) {
            instruction = question;
            instructAll();
        }
    }

    private void seen(ShardReport.Seen seen) {
        if (dialogue != null && seen.round() == open.number() && dialogue.seen(seen)) {
            times.seen(clocks.wall().getAsLong());
            decideIfReady();
        }
    }

    private void decideIfReady() {
        if (dialogue == null || dialogue.question(shard(0)) != null) {
            return;
        }
        boolean ofWorkers = open.moment().ofWorkers();
        Step.Reduce reduce = dialogue.decide(ofWorkers ? ruleState : RuleState.NONE);
        if (reduce == null) {
            ask();
            return;
        }
        OpenRound.Rows rows = dialogue.rows();
        BitSet selected = new BitSet();
        for (int i = 0; i < rows.places().length; i++) {
            if (reduce.map().uses(i)) {
                selected.set(rows.places()[i]);
            }
        }
        if (open.rule().refuses()) {
            refuse(rows, selected);
        }
        ruleState = ofWorkers ? reduce.state() : ruleState;
        close(
                rows,
                selected.stream().toArray(),
                next ->
                        new Instruction.Decide(
                                open.number(),
                                shard(0),
                                rows.ids(),
                                rows.bases(),
                                reduce.map(),
                                dialogue.look().references(),
                                reduce.reduction(),
                                next));
    }

    /** Counts rows that the rule refused against their senders. */
    private void refuse(OpenRound.Rows rows, BitSet selected) {
        for (int i = 0; i < rows.places().length; i++) {
            if (!selected.get(rows.places()[i])) {
                ledger.rejected(open.number(), open.number(), rows.ids()[i], Rejection.LOW_SCORE);
            }
        }
    }

    private void average(OpenRound.Rows rows) {
        close(
                rows,
                rows.places(),
                next ->
                        new Instruction.Average(
                                open.number(), shard(0), rows.ids(), rows.bases(), next));
    }

    private Settings next() {
        if (open.moment().ofWorkers()) {
            rate.decided(open.settings(), clocks.wall().getAsLong());
        }
        Moment next = training.moment(open.number() + 1);
        return next.ofWorkers()
                ? training.working(
                        server, next.iteration(), planner.next(open.settings(), next.iteration()))
                : training.exchanging(server, open.number() + 1, open.settings());
    }

    /** Ends the open round by a decision that carries the next one's settings. */
    private void close(
            OpenRound.Rows rows, int[] selected, Function<Settings, Instruction> decision) {
        // The plan goes on to the next round, and counts this one.
        Planner.Progress progress = planner.standing(open.settings()).progress();
        if (open.moment().ofWorkers()) {
            planner.proven(open.moment().iteration(), open.faults().proven());
        }
        Settings next = next();
        long now = open.moment().ofWorkers() ? rate.decidedAt() : clocks.wall().getAsLong();
        Cohort cohort = open.settings().cohort();
        int[] selectedIds = Arrays.stream(selected).map(cohort::id).toArray();
        for (int worker : rows.ids()) {
            ledger.accepted(worker);
        }
        for (int worker : selectedIds) {
            ledger.selected(worker);
        }
        times.decided(now);
        RoundReport report =
                new RoundReport(
                        open.moment().iteration(),
                        now / 1000,
                        0,
                        new double[0],
                        open.arrivals().meanLoss(selected),
                        training.plan().stepSize(open.settings(), open.number(), rows.bases()),
                        open.settings().batchSize(),
                        rows.ids(),
                        selectedIds,
                        open.faults().workers(),
                        cohort.size(),
                        open.settings().f(),
                        progress,
                        open.answered(rows.places()),
                        open.overtime());
        closed =
                new ClosedRound(
                        training, open.number(), CoordinatorState.Applying.of(report), times);
        step = open.moment().ofWorkers() ? report : step;
        instruction = decision.apply(next);
        lastRows = rows.ids();
        open(rows, next);
        instructAll();
        announce();
    }

    private void open(OpenRound.Rows rows, Settings next) {
        // Workers that come in load models and data, as all do in the first round after a start.
        boolean starting =
                !training.topology().exchanges() && next.workers() > open.settings().workers();
        open = open.next(rows, next, starting);
        open.clock().opened(clocks.monotonic().getAsLong());
        dialogue = null;
        times = new RoundTimes(-1);
        ledger.forget(open.number());
    }

    private void applied(ShardReport.Applied applied) {
        if (closed == null || !closed.applied(applied, blocks, planner)) {
            return;
        }
        long now = clocks.wall().getAsLong();
        closed.finish(now, planner, output);
        stepped = closed.moment().ofWorkers() ? now : stepped;
        closed = null;
        // Users see one round for a step and the exchanges behind it: they count for the next.
        times.opened(open.moment().ofWorkers() && stepped >= 0 ? stepped : now);
        if (dialogue == null) {
            // The models are out only now: a slow reduction is nobody's fault.
            long monotonic = clocks.monotonic().getAsLong();
            open.clock().arm(monotonic);
            open.clock().heard(monotonic);
            closeIfReady();
        }
    }

    /**
     * A block has come to the open round without its decision. One that is further than this knows
     * of a version that was published after this looked for it.
     */
    private void adopted(ShardReport.Adopted adopted) {
        if (adopted.round() > open.number()) {
            throw new IllegalStateException(
                    "version "
                            + adopted.round()
                            + " was published while the job started; starting again from it");
        }
        if (adopted.round() == open.number()) {
            open.intake().forget(adopted.shard().block());
            applied(new ShardReport.Applied(adopted.round() - 1, adopted.shard(), 0, 0));
        }
    }

    private ShardId shard(int block) {
        return new ShardId(server, block);
    }

    private void instructAll() {
        for (int block = 0; block < blocks; block++) {
            output.instruct(instruction.to(shard(block)));
        }
    }
}
