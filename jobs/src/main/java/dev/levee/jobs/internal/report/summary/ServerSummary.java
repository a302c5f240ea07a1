package dev.levee.jobs.internal.report.summary;

import dev.levee.learners.FlatVector;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.ServerResult;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The results of one of several parameter servers.
 *
 * @param server the server's id
 * @param lies true if it was a simulated Byzantine server
 * @param rounds number of rounds that it took part in, fewer if it crashed
 * @param finalAccuracy accuracy of its last model, null if it was not evaluated or has none
 * @param accuracies accuracies of all its evaluated models that have one
 * @param distance L2 distance of its final parameters from those of the run's model, over all
 *     coordinates
 * @param told mean distance between its message in the last exchange and the models of the honest
 *     servers that received it; null if none did, or if servers exchange nothing
 * @param heard number of exchanges in which it used the model of each server, by server
 * @param parametersSha256 SHA-256 of its final parameters as little-endian float32
 */
public record ServerSummary(
        int server,
        boolean lies,
        long rounds,
        Double finalAccuracy,
        List<Accuracy> accuracies,
        Double distance,
        Double told,
        List<Long> heard,
        String parametersSha256) {
    /**
     * An evaluation.
     *
     * @param version number of rounds before the evaluation
     * @param accuracy share of the test samples classified correctly
     */
    public record Accuracy(long version, double accuracy) {}

    /** The summaries of all servers, empty for a run with one server. */
    static List<ServerSummary> of(RunResult result) {
        int servers = result.servers().size();
        return servers == 1
                ? List.of()
                : IntStream.range(0, servers).mapToObj(server -> of(result, server)).toList();
    }

    private static ServerSummary of(RunResult result, int server) {
        ServerResult own = result.servers().get(server);
        Topology topology = result.training().topology();
        List<EvaluationReport> evaluations = own.evaluations();
        EvaluationReport last =
                evaluations.isEmpty() ? null : evaluations.get(evaluations.size() - 1);
        return new ServerSummary(
                server,
                topology.lies(server),
                own.roundCount(),
                last == null ? null : Summary.finite(last.accuracy()),
                evaluations.stream()
                        .filter(each -> Double.isFinite(each.accuracy()))
                        .map(each -> new Accuracy(each.version(), each.accuracy()))
                        .toList(),
                Summary.finite(distance(own.vector(), result.vector())),
                ExchangeSummary.told(result, server),
                own.peers().stream().map(WorkerCounts::selected).toList(),
                Summary.sha256(own.vector()));
    }

    private static double distance(FlatVector a, FlatVector b) {
        double sum = 0;
        for (int from = 0; from < a.size(); from += Summary.READ) {
            int length = Math.min(Summary.READ, a.size() - from);
            float[] one = a.range(from, length);
            float[] other = b.range(from, length);
            for (int i = 0; i < length; i++) {
                double difference = (double) one[i] - other[i];
                sum += difference * difference;
            }
        }
        return Math.sqrt(sum);
    }
}
