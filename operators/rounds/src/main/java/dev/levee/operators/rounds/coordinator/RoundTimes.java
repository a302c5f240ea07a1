package dev.levee.operators.rounds.coordinator;

import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.training.RoundPhase;

import java.util.Arrays;

/**
 * The critical path of one round in microseconds, from the clocks of several processes. The clocks
 * of the machines should agree; times that come out negative count as zero.
 */
final class RoundTimes {
    private long start = -1;
    private long modelAt = Long.MAX_VALUE;
    private long computedAt;

    /** 0, like {@code lookedAt}, if all rows arrived before the round opened. */
    private long arrivedAt;

    private long lookedAt;
    private long decidedAt;
    private long reduce;
    private long update;

    /** Creates the times of a round that opened at {@code start}, −1 if unknown. */
    RoundTimes(long start) {
        this.start = start;
    }

    /** Records when the models of this round were published. */
    void opened(long now) {
        start = now;
    }

    void arrived(ShardReport.Arrived arrived, long now) {
        if (arrived.modelAt() > 0) {
            modelAt = Math.min(modelAt, arrived.modelAt());
        }
        computedAt = Math.max(computedAt, arrived.computedAt());
        arrivedAt = Math.max(arrivedAt, arrived.arrivedAt());
        lookedAt = now;
    }

    void seen(long now) {
        lookedAt = now;
    }

    void decided(long now) {
        decidedAt = now;
    }

    void applied(ShardReport.Applied applied) {
        reduce = Math.max(reduce, applied.reduceNanos() / 1000);
        update = Math.max(update, applied.updateNanos() / 1000);
    }

    /** Seconds of the whole round if it ended now. */
    double seconds(long now) {
        return span(begin(), now);
    }

    /** Seconds by phase if the round ended now; the remaining time counts as shipping. */
    double[] byPhase(long now) {
        double[] seconds = new double[RoundPhase.values().length];
        seconds[RoundPhase.COMPUTE.ordinal()] = span(modelAt, computedAt);
        seconds[RoundPhase.LOOK.ordinal()] = arrivedAt == 0 ? 0 : span(arrivedAt, lookedAt);
        seconds[RoundPhase.DECIDE.ordinal()] = lookedAt == 0 ? 0 : span(lookedAt, decidedAt);
        seconds[RoundPhase.REDUCE.ordinal()] = reduce / 1e6;
        seconds[RoundPhase.UPDATE.ordinal()] = update / 1e6;
        double others = Arrays.stream(seconds).sum();
        seconds[RoundPhase.SHIP.ordinal()] = Math.max(0, seconds(now) - others);
        return seconds;
    }

    /** When the round opened; an estimate if it was restored during the round. */
    private long begin() {
        if (start >= 0) {
            return start;
        }
        return decidedAt > 0 ? Math.min(modelAt, decidedAt) : modelAt;
    }

    private static double span(long from, long to) {
        return from == Long.MAX_VALUE ? 0 : Math.max(0, to - from) / 1e6;
    }
}
