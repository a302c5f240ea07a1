package dev.levee.jobs.internal.report.summary;

import dev.levee.operators.rounds.report.ReplicaCounts;
import dev.levee.operators.rounds.report.ReplicaFailover;
import dev.levee.operators.rounds.training.RunResult;

import java.util.List;
import java.util.Locale;

/**
 * Counts the updates that a replica received, and lists when it took over from the server.
 *
 * @param bound D, the largest allowed distance between replica and server
 * @param updates number of updates of the server's blocks
 * @param sent number of these updates of which the replica received at least a part
 * @param bytes bytes that the replica received
 * @param fullBytes bytes that it would have received if every update had been sent
 * @param takeovers the replica's take-overs of the server's role, in order
 */
public record ReplicaSummary(
        double bound,
        long updates,
        long sent,
        long bytes,
        long fullBytes,
        List<ReplicaFailover> takeovers) {
    /** The summary of a run; null if it has no replica. */
    static ReplicaSummary of(RunResult result) {
        ReplicaCounts counts = result.replica();
        if (counts == null) {
            return null;
        }
        return new ReplicaSummary(
                result.training().topology().standby().distance(),
                counts.updates(),
                counts.sent(),
                counts.bytes(),
                counts.fullBytes(),
                counts.takeovers());
    }

    /** Describes the counts in one sentence, without a full stop. */
    public String words() {
        String share = fullBytes == 0 ? "0" : decimals((double) bytes / fullBytes);
        String sent = "the replica got %s of the bytes of all updates".formatted(share);
        if (takeovers.isEmpty()) {
            return sent;
        }
        ReplicaFailover last = takeovers.get(takeovers.size() - 1);
        return "%s, and continued from round %d at a distance of %s (at most %s)"
                .formatted(sent, last.version(), decimals(last.distance()), decimals(bound));
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.3g", value);
    }
}
