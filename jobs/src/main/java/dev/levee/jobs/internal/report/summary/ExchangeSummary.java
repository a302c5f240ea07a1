package dev.levee.jobs.internal.report.summary;

import dev.levee.operators.rounds.report.ExchangeReport;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.RunResult;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The distances between servers' models in an exchange, before servers combined the models: L2
 * norms over trainable parameters.
 *
 * @param version number of rounds before the exchange
 * @param honest largest distance between the models of two honest servers, one of which received
 *     the other's; null if none did
 * @param liars mean distance between the models that Byzantine servers sent and those of the honest
 *     servers that received them; null if none did
 */
public record ExchangeSummary(long version, Double honest, Double liars) {
    private static final class Distances {
        private final DoubleSummaryStatistics honest = new DoubleSummaryStatistics();
        private final DoubleSummaryStatistics liars = new DoubleSummaryStatistics();
    }

    /** All measured exchanges of a run, in order; empty without exchanges. */
    static List<ExchangeSummary> of(RunResult result) {
        if (result.servers().size() == 1) {
            return List.of();
        }
        Topology topology = result.training().topology();
        TreeMap<Long, Distances> exchanges = new TreeMap<>();
        for (int server = 0; server < topology.servers(); server++) {
            if (!topology.lies(server)) {
                for (ExchangeReport report : result.servers().get(server).exchanges()) {
                    add(report, server, topology, exchanges);
                }
            }
        }
        return exchanges.entrySet().stream()
                .map(
                        each ->
                                new ExchangeSummary(
                                        each.getKey(),
                                        greatest(each.getValue().honest),
                                        mean(each.getValue().liars)))
                .toList();
    }

    private static void add(
            ExchangeReport report,
            int server,
            Topology topology,
            TreeMap<Long, Distances> exchanges) {
        Distances all = exchanges.computeIfAbsent(report.iteration() + 1, key -> new Distances());
        for (int row = 0; row < report.heard().length; row++) {
            int other = report.heard()[row];
            if (other != server) {
                (topology.lies(other) ? all.liars : all.honest).accept(report.distances()[row]);
            }
        }
    }

    /**
     * The mean distance between the model that a server sent and the models of the honest servers
     * that received it, in the last measured exchange; null if none received it.
     */
    static Double told(RunResult result, int server) {
        Topology topology = result.training().topology();
        DoubleSummaryStatistics told = new DoubleSummaryStatistics();
        for (int listener = 0; listener < topology.servers(); listener++) {
            List<ExchangeReport> reports = result.servers().get(listener).exchanges();
            if (listener == server || topology.lies(listener) || reports.isEmpty()) {
                continue;
            }
            ExchangeReport last = reports.get(reports.size() - 1);
            IntStream.range(0, last.heard().length)
                    .filter(row -> last.heard()[row] == server)
                    .mapToDouble(row -> last.distances()[row])
                    .forEach(told);
        }
        return mean(told);
    }

    private static Double greatest(DoubleSummaryStatistics distances) {
        return distances.getCount() == 0 ? null : Summary.finite(distances.getMax());
    }

    private static Double mean(DoubleSummaryStatistics distances) {
        return distances.getCount() == 0 ? null : Summary.finite(distances.getAverage());
    }
}
