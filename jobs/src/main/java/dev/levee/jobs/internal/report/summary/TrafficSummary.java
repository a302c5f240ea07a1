package dev.levee.jobs.internal.report.summary;

import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Traffic;

import java.util.List;

/**
 * One kind of message between the roles of a run with several servers, as many as there are where
 * no two roles share a process.
 *
 * @param kind the kind of message
 * @param messagesPerRound whole vectors, as a mean over the rounds of the run
 * @param bytesPerRound of these
 */
public record TrafficSummary(String kind, double messagesPerRound, double bytesPerRound) {
    /** All kinds, in the order of a round; empty for a run with one server. */
    static List<TrafficSummary> of(RunResult result) {
        if (result.servers().size() == 1) {
            return List.of();
        }
        double rounds = Math.max(1, result.training().rounds());
        return Traffic.of(result.training()).stream()
                .map(each -> of(each, each.messages() * (each.times() / rounds)))
                .toList();
    }

    private static TrafficSummary of(Traffic traffic, double messages) {
        return new TrafficSummary(traffic.kind().words(), messages, messages * traffic.bytes());
    }
}
