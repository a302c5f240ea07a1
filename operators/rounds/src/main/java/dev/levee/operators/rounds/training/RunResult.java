package dev.levee.operators.rounds.training;

import dev.levee.learners.FlatVector;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.report.ReplicaCounts;
import dev.levee.operators.rounds.report.TransferCounts;
import dev.levee.operators.rounds.report.WorkerCounts;

import java.util.List;

/**
 * The results of a finished run. The accessors return those of one server, as {@link ServerResult}
 * describes them: with several servers, the first server that has done all rounds.
 *
 * @param training the training
 * @param servers the result of each parameter server, in order
 */
public record RunResult(Training training, List<ServerResult> servers) {
    /**
     * Most reports of a server: enough for a curve, and some megabytes in a checkpoint. If there
     * are more rounds, each report covers several.
     */
    public static final int MOST_REPORTS = 10_000;

    /** Id of the first server with the most rounds; only crashed servers have fewer. */
    public int first() {
        long most = servers.stream().mapToLong(ServerResult::samples).max().orElseThrow();
        int first = 0;
        while (servers.get(first).samples() < most) {
            first++;
        }
        return first;
    }

    private ServerResult own() {
        return servers.get(first());
    }

    /** Number of rounds that this server's reports cover. */
    public long roundCount() {
        return own().roundCount();
    }

    /** Number of samples that were drawn in all of its rounds. */
    public long samples() {
        return own().samples();
    }

    /** Number of rounds that each report covers. */
    public long stretch() {
        return own().stretch();
    }

    /** Reports of the server's rounds, in order. */
    public List<RoundReport> rounds() {
        return own().rounds();
    }

    /** Reports of the evaluations of the server's model, in order. */
    public List<EvaluationReport> evaluations() {
        return own().evaluations();
    }

    /** The server's counts, one entry per worker, in order. */
    public List<WorkerCounts> workers() {
        return own().workers();
    }

    /**
     * Counts of announced contributions; null if contributions are sent as soon as they are ready.
     */
    public TransferCounts transfers() {
        return own().transfers();
    }

    /** The last score of each participant; empty if there are no scores. */
    public List<LocalScore> scores() {
        return own().scores();
    }

    /** Counts of a replica's updates and takeovers; null if there is no replica. */
    public ReplicaCounts replica() {
        return own().replica();
    }

    /** The final flat parameter vector. */
    public FlatVector vector() {
        return own().vector();
    }

    /** The final parameters as one array. */
    public float[] parameters() {
        return own().parameters();
    }
}
