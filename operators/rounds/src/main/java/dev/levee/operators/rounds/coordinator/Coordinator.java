package dev.levee.operators.rounds.coordinator;

import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.plan.Performance;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.transfer.OrderedTransfers;
import dev.levee.operators.rounds.vector.Slices;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The coordinator of one server: opens and closes the server's rounds, in the same way for every
 * rule. {@link OpenRound} decides which rows a round has, the rule combines them, and the {@link
 * Plan} decides the next round's settings; {@link RoundState} is the state of the open round. It
 * never handles rows or models. Single-threaded; knows no engine.
 */
public final class Coordinator implements OrderedTransfers.Rounds {
    final Training training;
    final int server;
    final int blocks;
    final boolean patient;
    final RoundOutput output;
    final CarriedState carried;
    private final Clocks clocks;
    private final Ledger ledger;
    private final LastExchanges lastTold;

    private OpenRound open;
    private RoundState state;
    private Instruction instruction;
    private int[] lastRows;

    /**
     * The clocks that a coordinator reads, in microseconds.
     *
     * @param wall time since the epoch, for labels and for comparisons with other processes
     * @param monotonic time since an arbitrary moment, for timeouts; it never goes back
     */
    public record Clocks(LongSupplier wall, LongSupplier monotonic) {}

    /**
     * Creates a coordinator that continues from a state.
     *
     * @param run the run's id in records
     * @param server the server that it coordinates
     * @param patient true if a round continues waiting when its timeout finds more than f workers
     *     missing, because workers or connections may return; false if the run fails then
     */
    public Coordinator(
            Training training,
            long run,
            Slices slices,
            int server,
            CoordinatorState state,
            boolean patient,
            RoundOutput output,
            Clocks clocks) {
        this.training = training;
        this.server = server;
        this.blocks = slices.count();
        this.patient = patient;
        this.output = output;
        this.clocks = clocks;
        this.carried = new CarriedState(training, server, state);
        this.ledger = state.ledger().atLeast(training.ids());
        this.lastTold = new LastExchanges(training, blocks, state.lastTold());
        this.open =
                new OpenRound(
                        training, run, server, state.round(), state.settings(), true, state.open());
        this.state = state(state);
        this.instruction = state.instruction();
        this.lastRows = state.lastRows();
    }

    private RoundState state(CoordinatorState from) {
        if (from.dialogue() != null) {
            return new RuleDialogue(this, open, from.dialogue());
        }
        return from.applying() == null
                ? collecting()
                : new RoundState.Applying(this, open, from.applying(), new RoundTimes(-1));
    }

    private RoundState collecting() {
        return open.sum()
                .<RoundState>map(sum -> new Summing(this, open, sum))
                .orElseGet(() -> new RoundState.Collecting(this, open));
    }

    /** The state to checkpoint now. */
    public CoordinatorState snapshot() {
        return new CoordinatorState(
                open.number(),
                open.settings(),
                open.snapshot(),
                state.dialogue(),
                instruction,
                lastRows,
                carried.ruleState(),
                ledger.copy(),
                state.applying(),
                carried.planner().snapshot(),
                carried.decidedAt(),
                carried.last(),
                lastTold.snapshot());
    }

    /** Sets the number of the job's subtasks, which a plan may use for its next settings. */
    public void runsOn(int subtasks) {
        carried.planner().runsOn(subtasks);
    }

    /**
     * Accepts a control, which applies from the next round that it allows.
     *
     * @return false if it is not newer than the current one
     */
    public boolean control(Control control) {
        return carried.planner().control(control);
    }

    /** Rates of the run. */
    public Performance performance() {
        return carried.performance(open.settings());
    }

    /** Repeats the last instruction after a start, because the loop edge loses its messages. */
    public void restart() {
        open.clock().disarm();
        state.restarted();
        if (instruction != null) {
            instruct(instruction);
        }
        open.sum().ifPresent(sum -> tell(sum.told()));
        announce();
    }

    private void announce() {
        if (open.moment().ofWorkers()) {
            RoundReport last = carried.last();
            PlanState plan =
                    training.plan().remembers() ? carried.planner().snapshot() : PlanState.NONE;
            output.opened(
                    () ->
                            new CoordinatorMemory(
                                    open.number(),
                                    carried.ruleState(),
                                    ledger.counts(),
                                    last,
                                    plan));
        }
    }

    /** When {@link #tick} should be called, by the monotonic clock. */
    public OptionalLong deadline() {
        return open.clock().alarm();
    }

    /** The open round. */
    public long round() {
        return open.number();
    }

    /** The moment of the open round. */
    public Moment moment() {
        return open.moment();
    }

    /** Number of complete contributions to the open round. */
    public int answered() {
        return open.arrivals().completeCount();
    }

    @Override
    public long contributions() {
        return open.number() * open.settings().quorum() + open.pending().complete();
    }

    @Override
    public boolean waits(int worker) {
        return open.pending().workers().contains(worker);
    }

    /** Counts per worker so far. */
    public List<WorkerCounts> counts() {
        return ledger.counts();
    }

    /** Handles a report. */
    public void report(ShardReport report) {
        if (report instanceof ShardReport.Arrived arrived) {
            state.arrived(List.of(arrived));
            told(arrived.worker(), arrived.shard().block(), arrived.base());
        } else if (report instanceof ShardReport.Combined combined) {
            state.arrived(combined.rows());
        } else if (report instanceof ShardReport.Dropped dropped) {
            dropped(dropped);
        } else if (report instanceof ShardReport.Seen seen) {
            state.seen(seen);
        } else if (report instanceof ShardReport.Scored scored) {
            scored(scored);
        } else if (report instanceof ShardReport.Applied applied) {
            state.applied(applied);
        } else if (report instanceof ShardReport.Adopted adopted) {
            adopted(adopted);
        } else if (report instanceof ShardReport.Refused refused) {
            ledger.refused(refused.worker(), refused.reason(), refused.records());
        } else if (report instanceof ShardReport.TakenOver taken) {
            output.takenOver(taken.takeover());
        } else if (report instanceof ShardReport.Raised raised) {
            raised(raised);
        } else if (report instanceof ShardReport.Computed computed) {
            carried.computed(computed, open);
        } else if (report instanceof ShardReport.Said said) {
            said(said);
        }
    }

    private void raised(ShardReport.Raised raised) {
        if (raised.round() == open.number()) {
            open.faults().raised(raised.fault());
        }
        output.raised(raised.fault());
    }

    /** Handles a device's message in a secure sum. */
    private void said(ShardReport.Said said) {
        if (said.round() == open.number()) {
            open.sum().ifPresent(sum -> sum.hear(said.message()));
            state.close();
        }
    }

    /** Sends messages to devices of the open round; a restart repeats them. */
    void tell(List<SumMessage> messages) {
        messages.forEach(each -> output.tell(new SumNotice(server, open.number(), each)));
    }

    /** Handles the round's timeout if it is due. */
    public void tick() {
        state.tick();
    }

    /** Records that a server has sent a block of its model; an exchange may wait for it. */
    private void told(int sender, int block, long round) {
        if (round <= open.number() && lastTold.told(sender, block, round)) {
            state.close();
        }
    }

    /**
     * Counts a row that reached its shard in time but was not among those that closed the round.
     *
     * @param fixed workers whose rows closed the open round
     */
    void late(ShardReport.Arrived arrived, int[] fixed) {
        int[] rows =
                arrived.round() == open.number()
                        ? fixed
                        : arrived.round() == open.number() - 1 ? lastRows : new int[0];
        if (Arrays.binarySearch(rows, arrived.worker()) < 0) {
            rejected(arrived.round(), arrived.worker(), Rejection.LATE);
        }
    }

    /** Counts a contribution that does not become a row of the open round. */
    void rejected(long round, int worker, Rejection reason) {
        ledger.rejected(round, open.number(), worker, reason);
    }

    private void dropped(ShardReport.Dropped dropped) {
        rejected(dropped.round(), dropped.worker(), dropped.reason());
        if (dropped.reason().proof() && dropped.round() == open.number()) {
            state.proven(dropped.worker(), dropped.reason());
        }
        told(dropped.worker(), dropped.shard().block(), dropped.round());
    }

    private void scored(ShardReport.Scored scored) {
        int place = open.settings().cohort().place(scored.worker());
        if (scored.round() == open.number() && place >= 0) {
            open.arrivals().score(place, scored.score());
            state.scored();
        }
    }

    /** True if all servers have sent the models that must be known before a round closes. */
    boolean toldBefore(long round) {
        return lastTold.allBefore(round);
    }

    /** Starts the rule's dialogue about the open round's rows, which are now fixed. */
    void discuss(OpenRound.Rows rows) {
        RuleDialogue dialogue = RuleDialogue.about(this, open, rows);
        state = dialogue;
        dialogue.begin();
    }

    /**
     * Ends the open round with a decision, which contains the settings of the next round.
     *
     * @param selected places of the rows that the decision uses
     */
    void decide(OpenRound.Rows rows, int[] selected, Function<Settings, Instruction> decision) {
        long now = wall();
        CarriedState.Decision decided = carried.decide(open, rows, selected, now, monotonic());
        ledger.closed(rows.ids(), decided.report().selected());
        open.times().decided(now);
        Instruction told = decision.apply(decided.next());
        lastRows = rows.ids();
        open(rows, decided.next(), decided.report());
        instruct(told);
        announce();
    }

    private void open(OpenRound.Rows rows, Settings next, RoundReport report) {
        // Workers that join load models and data first, as all do in the first round after a start.
        boolean starting =
                !training.topology().exchanges() && next.workers() > open.settings().workers();
        RoundTimes times = open.times();
        var evidence = CoordinatorState.Evidence.ifAudited(training, open, rows);
        open = open.next(rows, next, starting);
        open.clock().opened(monotonic());
        state =
                new RoundState.Applying(
                        this, open, CoordinatorState.Applying.of(report, evidence), times);
        ledger.forget(open.number());
    }

    /** Called when all blocks have applied a round, so the rows of the open round may be fixed. */
    void applied(Moment moment, long now) {
        open.times().opened(carried.applied(moment, open.moment(), now));
        // The clock starts when the models are published: a slow reduction is no participant's
        // fault.
        long monotonic = monotonic();
        open.clock().arm(monotonic);
        open.clock().heard(monotonic);
        state = collecting();
        state.close();
    }

    /**
     * Handles a block that opened the round from a published version, without a decision. If the
     * block is in a later round, its version was published after this coordinator looked for the
     * newest.
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
            state.applied(new ShardReport.Applied(adopted.round() - 1, adopted.shard(), 0, 0));
        }
    }

    /** Microseconds by the clock for timeouts. */
    long monotonic() {
        return clocks.monotonic().getAsLong();
    }

    /** Microseconds since the epoch. */
    long wall() {
        return clocks.wall().getAsLong();
    }

    ShardId shard(int block) {
        return new ShardId(server, block);
    }

    /** Sends an instruction to all shards; a restart repeats it. */
    void instruct(Instruction told) {
        instruction = told;
        for (int block = 0; block < blocks; block++) {
            output.instruct(told.to(shard(block)));
        }
    }
}
