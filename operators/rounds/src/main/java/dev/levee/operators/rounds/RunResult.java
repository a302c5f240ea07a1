package dev.levee.operators.rounds;

import java.util.List;

/**
 * Everything a finished run leaves behind. Who knows of one server only finds its results here, as
 * {@link ServerResult} describes them; of several servers, these are the first one's.
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

    private ServerResult first() {
        return servers.get(0);
    }

    /** Number of rounds that the first server's reports are of. */
    public long roundCount() {
        return first().roundCount();
    }

    /** Number of samples that were drawn in all rounds of the first server. */
    public long samples() {
        return first().samples();
    }

    /** Number of rounds that have one report together, at the first server. */
    public long stretch() {
        return first().stretch();
    }

    /** Reports of the first server's rounds, in order. */
    public List<RoundReport> rounds() {
        return first().rounds();
    }

    /** Reports of the evaluations of the first server's model, in order. */
    public List<EvaluationReport> evaluations() {
        return first().evaluations();
    }

    /** The first server's counts, one entry per worker, in order. */
    public List<WorkerCounts> workers() {
        return first().workers();
    }

    /** The final flat parameter vector of the first server. */
    public float[] parameters() {
        return first().parameters();
    }
}
