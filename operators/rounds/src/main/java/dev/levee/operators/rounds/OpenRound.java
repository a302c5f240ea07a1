package dev.levee.operators.rounds;

import dev.levee.gar.Round;
import dev.levee.gar.Rule;

import java.time.Duration;
import java.util.BitSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The round whose rows are being collected: who has answered, who is at fault, and whether it can
 * close. The first q complete contributions or a timeout fix its rows.
 */
public final class OpenRound {
    /** Added to the timeout of the first round after a start: processes load models and data. */
    static final Duration START_GRACE = Duration.ofSeconds(10);

    /** The deadline while none is set. */
    private static final long NEVER = Long.MAX_VALUE;

    /**
     * What has to be remembered; a copy of its own.
     *
     * @param arrivals what has arrived
     * @param faults workers proven faulty, and why
     * @param timedOut true if the timeout has passed without enough rows
     * @param admitted places whose contributions are sure to be among the round's rows
     */
    public record State(
            Arrivals arrivals, Map<Integer, Rejection> faults, boolean timedOut, BitSet admitted) {
        /** What is remembered of a round for which nothing has come. */
        static State empty(Training training, Settings settings, int blocks) {
            return new State(
                    new Arrivals(training.rule().look(), settings.workers(), blocks),
                    Map.of(),
                    false,
                    new BitSet());
        }
    }

    /**
     * The rows that close a round.
     *
     * @param places their places in the cohort, in order
     * @param ids the workers who stand there
     * @param f Byzantine rows to tolerate among them
     */
    public record Rows(int[] places, int[] ids, int f) {}

    private final Training training;
    private final long number;
    private final Settings settings;
    private final Arrivals arrivals;
    private final Faults faults;
    private final BitSet admitted;

    /** True if the first answers may take longer, for somebody has to load models and data. */
    private final boolean starting;

    private boolean timedOut;

    /** When the timeout passes, by the monotonic clock, which may be negative. */
    private long deadline = NEVER;

    OpenRound(Training training, long number, Settings settings, boolean starting, State state) {
        this.training = training;
        this.number = number;
        this.settings = settings;
        this.starting = starting;
        this.arrivals = state.arrivals().copy();
        this.faults = new Faults(state.faults(), training.admission().timeout());
        this.timedOut = state.timedOut();
        this.admitted = (BitSet) state.admitted().clone();
    }

    State snapshot() {
        return new State(arrivals.copy(), faults.snapshot(), timedOut, (BitSet) admitted.clone());
    }

    long number() {
        return number;
    }

    Settings settings() {
        return settings;
    }

    Arrivals arrivals() {
        return arrivals;
    }

    Faults faults() {
        return faults;
    }

    OptionalLong deadline() {
        return deadline == NEVER ? OptionalLong.empty() : OptionalLong.of(deadline);
    }

    /** Starts the clock, if this round has a timeout that has not passed. */
    void arm(long now) {
        Duration timeout = training.admission().timeout();
        if (timeout != null && !timedOut && !settings.stop()) {
            // The timeout was meant for the batch that the run started with.
            int meant = training.data().batchSize();
            long times = Math.max(1, -Math.floorDiv(-settings.batchSize(), meant));
            Duration patience = timeout.multipliedBy(times);
            deadline = now + (starting ? patience.plus(START_GRACE) : patience).toNanos() / 1000;
        }
    }

    void disarm() {
        deadline = NEVER;
    }

    /** A block of a contribution is there; true if it is one of this round. */
    boolean arrived(ShardReport.Arrived arrived, long now) {
        if (faults.contains(arrived.worker())) {
            return false;
        }
        arrivals.add(settings.cohort().place(arrived.worker()), arrived);
        if (deadline == NEVER) {
            arm(now);
        }
        return true;
    }

    /**
     * A worker is proven faulty. One whose contribution was admitted before stays: it may have been
     * added up.
     *
     * @throws RunFailedException if these are more than f now
     */
    void fault(int worker, Rejection reason) {
        int place = settings.cohort().place(worker);
        if (place < 0 || admitted.get(place)) {
            return;
        }
        arrivals.refuse(place);
        faults.add(worker, reason, number, settings.f());
    }

    /** Members who have neither answered completely nor been proven faulty. */
    int[] missing() {
        BitSet missing = new BitSet();
        for (int place = 0; place < settings.workers(); place++) {
            int id = settings.cohort().id(place);
            if (!arrivals.arrived(place) && !faults.contains(id)) {
                missing.set(id);
            }
        }
        return missing.stream().toArray();
    }

    /** Byzantine rows to tolerate among those that have not been proven faulty. */
    int f() {
        return settings.f() - faults.count();
    }

    /** True if the clock has run out; it is stopped then. */
    boolean due(long now) {
        if (now < deadline) {
            return false;
        }
        deadline = NEVER;
        return true;
    }

    void timeout() {
        timedOut = true;
    }

    /**
     * The rows that the round closes with, null while it has to wait.
     *
     * @throws RunFailedException if they are fewer than the rule needs
     */
    Rows close() {
        if (settings.stop()) {
            return null;
        }
        Rule rule = training.rule();
        int complete = arrivals.completeCount();
        int able = settings.workers() - faults.count();
        boolean ready =
                complete >= Math.min(settings.quorum(), able)
                        || (timedOut && complete >= rule.minimumRows(f()));
        if (!ready || complete == 0) {
            return null;
        }
        if (complete < rule.minimumRows(f())) {
            throw new RunFailedException(
                    "round %d closed with %d gradients, but %s needs %s with f = %d"
                            .formatted(number, complete, rule.name(), rule.limit(), f()));
        }
        int[] places = arrivals.complete();
        int[] ids = new int[places.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = settings.cohort().id(places[i]);
        }
        if (!trusts(ids, complete == able)) {
            return null;
        }
        deadline = NEVER;
        return new Rows(places, ids, f());
    }

    /**
     * True if whoever the rule trusts is among these.
     *
     * @param all true if nobody else can answer any more
     * @throws RunFailedException if one is not, and will not come
     */
    private boolean trusts(int[] ids, boolean all) {
        for (String id : training.rule().trusted()) {
            if (IntStream.of(ids).mapToObj(Round::worker).noneMatch(id::equals)) {
                if (!all && !timedOut) {
                    return false;
                }
                throw new RunFailedException(
                        "round %d has no gradient of %s, which %s trusts"
                                .formatted(number, id, training.rule().name()));
            }
        }
        return true;
    }

    /**
     * Contributions that shards may add up now, null while they are too few to be worth telling.
     * Those of a round that is summed are told in time for shards to hold no more rows than they
     * should.
     */
    BitSet admit() {
        int held = Math.max(1, training.admission().rowsHeld() / 2);
        if (!RowWindow.sums(training, settings)
                || arrivals.completeCount() - admitted.cardinality() < held) {
            return null;
        }
        for (int place : arrivals.complete()) {
            admitted.set(place);
        }
        return (BitSet) admitted.clone();
    }
}
