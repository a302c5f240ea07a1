package dev.levee.operators.rounds.coordinator;

import dev.levee.gar.Round;
import dev.levee.gar.Rule;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.shard.RowWindow;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The round that collects rows: its contributions, its faults, and the condition to close it. The
 * first q complete contributions, a timeout or a deadline fix its rows.
 */
public final class OpenRound {
    /**
     * The state to checkpoint; a copy.
     *
     * @param arrivals the contributions that have arrived
     * @param faults workers proven faulty, and why
     * @param timedOut true if the timeout has passed without enough rows
     * @param overtime true if the deadline has passed without enough rows
     * @param admitted places whose contributions will certainly be among the round's rows
     * @param pending contributions that have not been counted, if contributions to older models
     *     count, too
     * @param heard messages of devices in a secure sum; empty if there are none
     */
    public record State(
            Arrivals arrivals,
            Map<Integer, Rejection> faults,
            boolean timedOut,
            boolean overtime,
            BitSet admitted,
            PendingContributions.State pending,
            List<SumMessage> heard) {
        /** The state of a round without contributions. */
        static State empty(
                Training training, Rule rule, long version, Settings settings, int blocks) {
            return new State(
                    new Arrivals(training, rule, settings.workers(), blocks),
                    Map.of(),
                    false,
                    false,
                    new BitSet(),
                    PendingContributions.State.before(version),
                    List.of());
        }
    }

    /**
     * The rows that close a round.
     *
     * @param places their places in the cohort, in order
     * @param ids the workers at these places
     * @param bases versions of the model that they answer
     * @param f Byzantine rows to tolerate among them
     */
    public record Rows(int[] places, int[] ids, long[] bases, int f) {}

    private final Training training;
    private final long run;
    private final int server;
    private final Rule rule;
    private final long number;
    private final Settings settings;
    private final Arrivals arrivals;
    private final Faults faults;
    private final BitSet admitted;
    private final PendingContributions pending;
    private final RoundClock clock;
    private final Intake intake;
    private final RoundTimes times = new RoundTimes(-1);

    private final Optional<OpenSum> sum;

    private boolean overtime;

    /**
     * Creates a round.
     *
     * @param run the run's id in records
     * @param starting true if models and data must be loaded for it
     */
    OpenRound(
            Training training,
            long run,
            int server,
            long number,
            Settings settings,
            boolean starting,
            State state) {
        this.training = training;
        this.run = run;
        this.server = server;
        this.rule = training.rule(server, number).among(settings.workers());
        this.number = number;
        this.settings = settings;
        this.arrivals = state.arrivals().copy();
        this.faults = new Faults(state.faults(), training.admission().timeout(), training::who);
        this.clock = new RoundClock(training, number, settings, starting, state.timedOut());
        this.overtime = state.overtime();
        this.admitted = (BitSet) state.admitted().clone();
        this.pending = new PendingContributions(arrivals.blockCount(), state.pending());
        this.sum = OpenSum.of(training, run, number, settings, state.heard());
        this.intake =
                training.admission().inStep()
                        ? new Intake.InStep(number, settings.cohort(), arrivals, faults)
                        : new Intake.Stale(
                                training.admission().oldest(number),
                                settings.cohort(),
                                arrivals,
                                faults,
                                pending);
    }

    /**
     * The round after this one.
     *
     * @param rows the rows that closed this round
     * @param starting true if models and data must be loaded for it
     */
    OpenRound next(Rows rows, Settings next, boolean starting) {
        State empty =
                State.empty(
                        training,
                        training.rule(server, number + 1),
                        number + 1,
                        next,
                        arrivals.blockCount());
        PendingContributions left =
                pending.after(rows, next.cohort(), training.admission().oldest(number + 1));
        OpenRound opened =
                new OpenRound(
                        training,
                        run,
                        server,
                        number + 1,
                        next,
                        starting,
                        new State(
                                empty.arrivals(),
                                Map.of(),
                                false,
                                false,
                                new BitSet(),
                                left.snapshot(),
                                List.of()));
        opened.intake.begin();
        return opened;
    }

    State snapshot() {
        return new State(
                arrivals.copy(),
                faults.snapshot(),
                clock.timedOut(),
                overtime,
                (BitSet) admitted.clone(),
                pending.snapshot(),
                sum.map(OpenSum::heard).orElse(List.of()));
    }

    long number() {
        return number;
    }

    Settings settings() {
        return settings;
    }

    /** The rule for this round's rows. */
    Rule rule() {
        return rule;
    }

    /** The round's moment in the run. */
    Moment moment() {
        return training.moment(number);
    }

    /** The clock that tells when the round closes with answers missing, and when the run fails. */
    RoundClock clock() {
        return clock;
    }

    /** The part that decides which contributions may become rows. */
    Intake intake() {
        return intake;
    }

    /** Times of the round's events, as far as known. */
    RoundTimes times() {
        return times;
    }

    Arrivals arrivals() {
        return arrivals;
    }

    /** Contributions that have not been counted, if contributions to older models count, too. */
    PendingContributions pending() {
        return pending;
    }

    /** The round's secure sum, if it has one. */
    Optional<OpenSum> sum() {
        return sum;
    }

    Faults faults() {
        return faults;
    }

    /**
     * Marks a worker as proven faulty. A contribution that was admitted before stays, because it
     * may have been added up. In a secure sum, no worker is proven faulty: its first row counts,
     * and a device without a whole row has left.
     *
     * @throws RunFailedException if more than f workers are now faulty, or a server refuses its own
     *     model
     */
    void fault(int worker, Rejection reason) {
        int place = settings.cohort().place(worker);
        if (place < 0 || admitted.get(place) || sum.isPresent()) {
            return;
        }
        if (own(worker)) {
            throw new RunFailedException(
                    "%s holds NaN or infinity in its own model after round %d: it has diverged"
                            .formatted(training.who(worker), moment().iteration()));
        }
        arrivals.refuse(place);
        faults.add(worker, reason, moment().iteration(), settings.f());
    }

    /** Members that have neither answered completely nor been proven faulty. */
    int[] missing() {
        BitSet missing = new BitSet();
        for (int place = 0; place < settings.workers(); place++) {
            int id = settings.cohort().id(place);
            if (!arrivals.arrived(place) && !faults.contains(id) && !own(id)) {
                missing.set(id);
            }
        }
        return missing.stream().toArray();
    }

    /** True for the server's own id, whose message to itself always arrives. */
    private boolean own(int id) {
        return !moment().ofWorkers() && id == training.serverId(server);
    }

    /** Byzantine rows to tolerate among the participants not proven faulty. */
    int f() {
        return settings.f() - faults.count();
    }

    /** Handles the timeout, after missing participants were marked as faulty. */
    void timedOut() {
        clock.pass();
        overtime = settings.deadline() != null && arrivals.completeCount() < wanted();
    }

    /** True if the round waits, or waited, for more contributions after its deadline. */
    boolean overtime() {
        return overtime;
    }

    /**
     * The rows that the round closes with, null while it must wait.
     *
     * @throws RunFailedException if there are fewer than the rule needs
     */
    Rows close() {
        if (settings.stop()) {
            return null;
        }
        int complete = arrivals.completeCount();
        int able = settings.workers() - faults.count();
        boolean ready =
                complete >= Math.min(settings.quorum(), able)
                        || (clock.timedOut() && complete >= wanted());
        boolean alone = !moment().ofWorkers() && !arrivals.arrived(ownPlace());
        if (!ready || complete == 0 || alone) {
            return null;
        }
        if (complete < least()) {
            throw new RunFailedException(
                    "round %d closed with %d gradients, but %s needs %s with f = %d"
                            .formatted(number, complete, rule.name(), rule.limit(), f()));
        }
        int[] places = taken(arrivals.complete());
        int[] ids = new int[places.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = settings.cohort().id(places[i]);
        }
        if (!trusts(ids, complete == able)) {
            return null;
        }
        clock.disarm();
        return new Rows(places, ids, arrivals.bases(places), f());
    }

    /** The first of these places, up to the number that a round takes. */
    private int[] taken(int[] complete) {
        int most = training.admission().most();
        if (complete.length <= most) {
            return complete;
        }
        long[] bases = arrivals.bases(complete);
        return IntStream.range(0, complete.length)
                .boxed()
                .sorted(Comparator.comparingLong(i -> bases[i]))
                .limit(most)
                .mapToInt(i -> complete[i])
                .sorted()
                .toArray();
    }

    /** The versions that the rows at these places answer; empty if all answer the newest. */
    long[] answered(int[] places) {
        long[] bases = settings.bases(places, arrivals.bases(places));
        return Arrays.stream(bases).allMatch(base -> base == number) ? new long[0] : bases;
    }

    private int ownPlace() {
        return settings.cohort().place(training.serverId(server));
    }

    /** Fewest rows that the rule accepts: always at least f + 1. */
    private int least() {
        return Math.max(rule.minimumRows(f()), f() + 1);
    }

    /**
     * Fewest rows to close a round when its time is over. An exchange that leaves out slow servers
     * waits for its quorum without a limit.
     */
    private int wanted() {
        boolean patient = !moment().ofWorkers() && !settings.missingIsFault();
        return patient
                ? Math.max(least(), settings.quorum())
                : training.admission().enough(least(), settings.quorum());
    }

    /**
     * True if these ids include all workers that the rule trusts.
     *
     * @param all true if no other worker can still answer
     * @throws RunFailedException if a trusted worker is missing and cannot answer any more
     */
    private boolean trusts(int[] ids, boolean all) {
        for (String id : rule.trusted()) {
            if (IntStream.of(ids).mapToObj(Round::worker).noneMatch(id::equals)) {
                if (!all && !clock.timedOut()) {
                    return false;
                }
                throw new RunFailedException(
                        "round %d has no gradient of %s, which %s trusts"
                                .formatted(number, id, rule.name()));
            }
        }
        return true;
    }

    /**
     * Contributions that shards may add up now, null while there are too few for an instruction.
     * Instructions are sent early enough that shards hold few rows.
     */
    BitSet admit() {
        int held = Math.max(1, training.admission().rowsHeld() / 2);
        if (!RowWindow.sums(training, server, number, settings)
                || arrivals.completeCount() - admitted.cardinality() < held) {
            return null;
        }
        // A secure sum excludes unexpected rows and rows that arrive after it has closed.
        Optional<Set<Integer>> summed = sum.map(OpenSum::collected);
        for (int place : arrivals.complete()) {
            int id = settings.cohort().id(place);
            if (summed.map(ids -> ids.contains(id)).orElse(true)) {
                admitted.set(place);
            }
        }
        return (BitSet) admitted.clone();
    }
}
