package dev.levee.jobs.internal.report.summary;

import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.topology.Failover;
import dev.levee.operators.rounds.training.RunResult;

import java.util.Comparator;
import java.util.List;

/**
 * The replicas from which workers read models, as the workers report them.
 *
 * @param timeoutSeconds a replica counts as crashed if another has offered a newer model for this
 *     long
 * @param failovers number of fail-overs; workers that left a replica together count once
 * @param olderModels number of models that workers received in a fail-over although another replica
 *     had offered a newer one
 * @param primaries the replicas in the order in which workers began to read them
 */
public record FailoverSummary(
        double timeoutSeconds, long failovers, long olderModels, List<Primary> primaries) {
    private static final double MICROS = 1e6;

    /**
     * Workers begin to read from a replica.
     *
     * @param round first round whose model they read from it
     * @param server the replica
     * @param silent the replica that they have left, null at the start of the job
     * @param restarts how often Flink had restarted the job before
     * @param workers number of these workers
     * @param olderModels number of these workers that received an older model than another replica
     *     had offered
     * @param waitedSeconds longest time that one of these workers had waited
     */
    public record Primary(
            long round,
            int server,
            Integer silent,
            int restarts,
            int workers,
            int olderModels,
            double waitedSeconds) {
        private static Primary of(Takeover takeover) {
            return new Primary(
                    takeover.round(),
                    takeover.to(),
                    takeover.failover() ? takeover.from() : null,
                    takeover.attempt(),
                    takeover.participants(),
                    takeover.older(),
                    takeover.waitedMicros() / MICROS);
        }
    }

    /** The fail-overs of a run; null if it has no crash-tolerant servers. */
    static FailoverSummary of(RunResult result) {
        if (result.servers().size() == 1) {
            return null;
        }
        Failover failover = result.training().topology().failover();
        if (failover == null) {
            return null;
        }
        List<Takeover> told =
                result.servers().stream()
                        .flatMap(each -> each.takeovers().stream())
                        .sorted(
                                Comparator.comparingLong(Takeover::round)
                                        .thenComparingInt(Takeover::attempt)
                                        .thenComparingInt(Takeover::from))
                        .toList();
        return new FailoverSummary(
                failover.timeout().toNanos() / (1000 * MICROS),
                told.stream().filter(Takeover::failover).count(),
                told.stream().filter(Takeover::failover).mapToLong(Takeover::older).sum(),
                told.stream().map(Primary::of).toList());
    }

    /** The last replica that workers switched to; null if none reported a switch. */
    private Primary last() {
        return primaries.isEmpty() ? null : primaries.get(primaries.size() - 1);
    }

    /** Describes the fail-overs in one sentence, without a full stop. */
    public String words() {
        String count =
                failovers == 0
                        ? "no fail-over"
                        : failovers + (failovers == 1 ? " fail-over" : " fail-overs");
        return failovers == 0 || last() == null
                ? count
                : "%s, server %d is read since round %d"
                        .formatted(count, last().server(), last().round());
    }
}
