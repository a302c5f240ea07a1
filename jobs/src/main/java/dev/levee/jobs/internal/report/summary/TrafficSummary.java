package dev.levee.jobs.internal.report.summary;

import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Traffic;

import java.util.List;

/**
 * The messages of one kind between the roles of a run with several servers. Counts are those of a
 * run in which no two roles share a process.
 *
 * @param kind the kind of message
 * @param messagesPerRound mean number of whole vectors in a round
 * @param bytesPerRound bytes of these vectors
 */
public record TrafficSummary(String kind, double messagesPerRound, double bytesPerRound) {
    /** All kinds of messages, in the order of a round; empty for a run with one server. */
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
