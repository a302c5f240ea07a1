package dev.levee.jobs.internal.report.summary;

import dev.levee.operators.rounds.Takeover;
import dev.levee.operators.rounds.topology.Failover;
import dev.levee.operators.rounds.training.RunResult;

import java.util.Comparator;
import java.util.List;

/**
 * The replicas that workers have read, as they report them.
 *
 * @param timeoutSeconds how long others had to offer a newer model before the one that was read
 *     counted as crashed
 * @param failovers how often workers left a replica; those who did so together count once
 * @param olderModels how many models that workers got in a fail-over were older than what another
 *     replica had offered by then
 * @param primaries the servers that were read, with their first rounds, in order
 */
public record FailoverSummary(
        double timeoutSeconds, long failovers, long olderModels, List<Primary> primaries) {
    private static final double MICROS = 1e6;

    /**
     * Workers begin to read a replica.
     *
     * @param round the first whose model they read from it
     * @param server that they read from then on
     * @param silent the server that they have left for it, null where the job has just started
     * @param restarts how often Flink had restarted the job before
     * @param workers how many
     * @param olderModels how many of them got an older model than another replica had offered
     * @param waitedSeconds how long they had waited, at most
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

    /** The fail-overs of a run; null without crash-tolerant servers. */
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

    /** The primary that workers went over to last; null before anybody told one. */
    private Primary last() {
        return primaries.isEmpty() ? null : primaries.get(primaries.size() - 1);
    }

    /** It in one sentence, without a full stop. */
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
