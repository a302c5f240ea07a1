package dev.levee.operators.rounds.coordinator;

import dev.levee.gar.Looked;
import dev.levee.operators.rounds.ExchangeReport;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;

/**
 * A decided round that shards are applying, while contributions to the next one may arrive: which
 * blocks have applied it, and what they say of its rows.
 */
final class ClosedRound {
    private final Training training;
    private final long number;
    private final CoordinatorState.Applying state;
    private final RoundTimes times;

    /** Goes on from a state, which is copied. */
    ClosedRound(Training training, long number, CoordinatorState.Applying state, RoundTimes times) {
        this.training = training;
        this.number = number;
        this.state = state.copy();
        this.times = times;
    }

    /** What has to be remembered; a copy of its own. */
    CoordinatorState.Applying snapshot() {
        return state.copy();
    }

    /** Where in the run this round is. */
    Moment moment() {
        return training.moment(number);
    }

    /**
     * Notes that a block has applied a round.
     *
     * @param blocks of the model
     * @param planner hears how far the rows of workers were from one another
     * @return true if it is this round, and all blocks have applied it now
     */
    boolean applied(ShardReport.Applied applied, int blocks, Planner planner) {
        if (applied.round() != number) {
            return false;
        }
        int block = applied.shard().block();
        if (applied.spread() != null && !state.blocks().get(block)) {
            spread(block, applied.spread(), planner);
        }
        state.blocks().set(block);
        times.applied(applied);
        return state.blocks().cardinality() == blocks;
    }

    private void spread(int block, Looked seen, Planner planner) {
        if (moment().ofWorkers()) {
            planner.spread(block, seen);
        } else {
            state.spread().put(block, seen);
        }
    }

    /** Reports the round, which all blocks have applied. */
    void finish(long now, Planner planner, Coordinator.Output output) {
        RoundReport report = state.report().took(times.seconds(now), times.byPhase(now));
        if (moment().ofWorkers()) {
            planner.applied(report);
            output.finished(report);
            return;
        }
        output.exchanged(moment(), report);
        if (!state.spread().isEmpty()) {
            int[] heard =
                    Arrays.stream(report.rows()).map(id -> id - training.serverId(0)).toArray();
            output.measured(
                    ExchangeReport.of(moment().iteration(), heard, state.spread().values()));
        }
    }
}
