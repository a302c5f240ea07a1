package dev.levee.operators.rounds;

import java.util.Comparator;
import java.util.List;

/**
 * Everything a finished run leaves behind. Who knows of one server only finds its results here, as
 * {@link ServerResult} describes them; of several servers, these are those of the first that has
 * done all rounds.
 *
 * @param training what was run
 * @param servers what each parameter server leaves, in order
 */
public record RunResult(Training training, List<ServerResult> servers) {
    /** The result of a run that has one server. */
    public RunResult(
            Training training,
            long roundCount,
            long samples,
            long stretch,
            List<RoundReport> rounds,
            List<EvaluationReport> evaluations,
            List<WorkerCounts> workers,
            float[] parameters) {
        this(
                training,
                List.of(
                        new ServerResult(
                                roundCount,
                                samples,
                                stretch,
                                rounds,
                                evaluations,
                                workers,
                                List.of(),
                                parameters)));
    }

    /** The first of the servers that went farthest: only crashed ones did not. */
    private ServerResult first() {
        return servers.stream().max(Comparator.comparingLong(ServerResult::samples)).orElseThrow();
    }

    /** Number of rounds that this server's reports are of. */
    public long roundCount() {
        return first().roundCount();
    }

    /** Number of samples that were drawn in all of its rounds. */
    public long samples() {
        return first().samples();
    }

    /** Number of rounds that have one report together. */
    public long stretch() {
        return first().stretch();
    }

    /** Reports of its rounds, in order. */
    public List<RoundReport> rounds() {
        return first().rounds();
    }

    /** Reports of the evaluations of its model, in order. */
    public List<EvaluationReport> evaluations() {
        return first().evaluations();
    }

    /** Its counts, one entry per worker, in order. */
    public List<WorkerCounts> workers() {
        return first().workers();
    }

    /** The final flat parameter vector. */
    public float[] parameters() {
        return first().parameters();
    }
}
