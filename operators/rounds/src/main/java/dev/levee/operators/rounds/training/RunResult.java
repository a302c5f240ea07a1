package dev.levee.operators.rounds.training;

import dev.levee.learners.FlatVector;
import dev.levee.operators.rounds.EvaluationReport;
import dev.levee.operators.rounds.LocalScore;
import dev.levee.operators.rounds.ReplicaCounts;
import dev.levee.operators.rounds.TransferCounts;
import dev.levee.operators.rounds.WorkerCounts;

import java.util.List;

/**
 * Everything a finished run leaves behind. The accessors return the results of one server, as
 * {@link ServerResult} describes them: with several servers, of the first that has done all rounds.
 *
 * @param training the training
 * @param servers the result of each parameter server, in order
 */
public record RunResult(Training training, List<ServerResult> servers) {
    /**
     * Rounds of a server that have a report each at most: enough for a curve, and some megabytes in
     * a checkpoint. Of more rounds, reports are of several together.
     */
    public static final int MOST_REPORTS = 10_000;

    /** Id of the first of the servers that went farthest: only crashed ones did not. */
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

    /** Number of rounds that this server's reports are of. */
    public long roundCount() {
        return own().roundCount();
    }

    /** Number of samples that were drawn in all of its rounds. */
    public long samples() {
        return own().samples();
    }

    /** Number of rounds that have one report together. */
    public long stretch() {
        return own().stretch();
    }

    /** Reports of its rounds, in order. */
    public List<RoundReport> rounds() {
        return own().rounds();
    }

    /** Reports of the evaluations of its model, in order. */
    public List<EvaluationReport> evaluations() {
        return own().evaluations();
    }

    /** Its counts, one entry per worker, in order. */
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

    /** Counts of a replica's updates, and when it took over; null if there is none. */
    public ReplicaCounts replica() {
        return own().replica();
    }

    /** The final flat parameter vector. */
    public FlatVector vector() {
        return own().vector();
    }

    /** The same as a whole. */
    public float[] parameters() {
        return own().parameters();
    }
}
