package dev.levee.operators.rounds.coordinator;

import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.plan.Performance;
import dev.levee.operators.rounds.plan.RoundRate;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;

/**
 * The state that a server carries from one round of workers to the next: the plan's and the rule's
 * state, the rate of rounds, and the last report. Single-threaded.
 */
final class CarriedState {
    /**
     * Results of a round that closes.
     *
     * @param report the report of the round, as far as known
     * @param next settings of the round after it
     */
    record Decision(RoundReport report, Settings next) {}

    private final Training training;
    private final int server;
    private final Planner planner;
    private final RoundRate rate;
    private RuleState ruleState;
    private RoundReport last;

    /** When the last round of workers ended, −1 if unknown. */
    private long over = -1;

    /** Creates a course that continues from a state. */
    CarriedState(Training training, int server, CoordinatorState state) {
        this.training = training;
        this.server = server;
        this.planner = training.plan().planner(training, state.plan());
        this.rate = new RoundRate(state.decidedAt());
        this.ruleState = state.ruleState();
        this.last = state.step();
    }

    Planner planner() {
        return planner;
    }

    /** When the last round of workers was decided, microseconds since the epoch; 0 before. */
    long decidedAt() {
        return rate.decidedAt();
    }

    /** The report of the last round of workers, as known at its decision; null before the first. */
    RoundReport last() {
        return last;
    }

    RuleState ruleState() {
        return ruleState;
    }

    /** The rule's state before a round; exchanges have none. */
    RuleState ruleState(Moment moment) {
        return moment.ofWorkers() ? ruleState : RuleState.NONE;
    }

    /** Keeps the rule's state after a round. */
    void carry(Moment moment, RuleState carried) {
        ruleState = moment.ofWorkers() ? carried : ruleState;
    }

    void computed(ShardReport.Computed computed, OpenRound open) {
        rate.computed(computed.effort());
        if (computed.round() == open.number()) {
            planner.computed(computed.effort(), open.settings());
        }
    }

    Performance performance(Settings open) {
        return rate.performance(open, planner.standing(open));
    }

    /**
     * Ends a round and plans the next.
     *
     * @param selected places of the rows that the decision uses
     * @param now microseconds since the epoch
     * @param monotonic the same moment by the monotonic clock, microseconds
     */
    Decision decide(OpenRound open, OpenRound.Rows rows, int[] selected, long now, long monotonic) {
        Settings settings = open.settings();
        // The plan moves to the next round and counts this one.
        Planner.Progress progress = planner.standing(settings).progress();
        if (open.moment().ofWorkers()) {
            planner.proven(open.moment().iteration(), open.faults().proven());
            rate.decided(settings, now, monotonic);
        }
        Settings next = next(open);
        RoundReport report =
                new RoundReport(
                        open.moment().iteration(),
                        now / 1000,
                        0,
                        new double[0],
                        open.arrivals().meanLoss(selected),
                        training.plan().stepSize(settings, open.number(), rows.bases()),
                        settings.batchSize(),
                        rows.ids(),
                        Arrays.stream(selected).map(settings.cohort()::id).toArray(),
                        open.faults().workers(),
                        settings.workers(),
                        settings.f(),
                        progress,
                        open.answered(rows.places()),
                        open.overtime(),
                        open.sum().map(OpenSum::refusal).orElse(""));
        last = open.moment().ofWorkers() ? report : last;
        return new Decision(report, next);
    }

    private Settings next(OpenRound open) {
        Moment next = training.moment(open.number() + 1);
        return next.ofWorkers()
                ? training.working(
                        server, next.iteration(), planner.next(open.settings(), next.iteration()))
                : training.exchanging(server, open.number() + 1, open.settings());
    }

    /**
     * Records that all blocks have applied a round.
     *
     * @return when the open round began. Users see a step and its exchanges as one round, so the
     *     time of exchanges counts for the next round
     */
    long applied(Moment applied, Moment open, long now) {
        over = applied.ofWorkers() ? now : over;
        return open.ofWorkers() && over >= 0 ? over : now;
    }
}
