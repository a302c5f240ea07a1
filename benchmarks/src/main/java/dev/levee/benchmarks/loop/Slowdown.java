package dev.levee.benchmarks.loop;

import dev.levee.benchmarks.Machine;
import dev.levee.benchmarks.Spread;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Failover;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Compares the cost of each deployment with averaging in a plain loop, as in figure 3.6 of the
 * thesis: one server with a robust rule, crash-tolerant replicas, Byzantine-tolerant replicas, and
 * no server. All are measured alternately.
 */
public final class Slowdown {
    private static final int CORES = 2;
    private static final int TURNS = 3;
    private static final int WORKERS = 10;
    private static final String ONE = "one server";

    private Slowdown() {}

    /** Arguments: names of models (mnist-cnn cifarnet). */
    public static void main(String[] args) throws Exception {
        Machine.print();
        List<String> models = args.length == 0 ? List.of("mnist-cnn", "cifarnet") : List.of(args);
        System.out.printf(
                "%d workers, multi-krum with f = 3, median of models, batch 32; milliseconds of a"
                        + " round, times the plain loop and times one server, medians of %d"
                        + " turns%n%n",
                WORKERS, TURNS);
        System.out.println(
                "| model | deployment | ms | slowdown | beside one server |\n"
                        + "|---|---|---|---|---|");
        for (String model : models) {
            if (model.equals("cifarnet")) {
                try (NoisePictures pictures = new NoisePictures()) {
                    measure(model, pictures.uri(), 5, 15);
                }
            } else {
                measure(model, "strokes:?train=2000&test=100&seed=1", 150, 300);
            }
        }
    }

    private static void measure(String model, String data, int warmUp, int rounds)
            throws Exception {
        Map<String, Topology> deployments = new LinkedHashMap<>();
        deployments.put(ONE, Topology.ONE);
        deployments.put(
                "3 servers, crash-tolerant",
                Topology.crashTolerant(3, new Failover(Failover.TIMEOUT)));
        Exchange exchange = new Exchange(Rules.parse("median"), 1);
        deployments.put("3 servers, Byzantine-tolerant", Topology.replicas(3, exchange));
        deployments.put("6 servers, Byzantine-tolerant", Topology.replicas(6, exchange));
        deployments.put(
                "no server",
                Topology.decentralised(WORKERS, new Exchange(Rules.parse("median"), 3)));
        Map<String, List<Double>> times = new LinkedHashMap<>();
        times.put("plain loop, average", new ArrayList<>());
        Map<String, List<Double>> ratios = new LinkedHashMap<>();
        Map<String, List<Double>> servers = new LinkedHashMap<>();
        for (int turn = 0; turn < TURNS; turn++) {
            Training alone = servers(model, data, Topology.ONE).training(warmUp + rounds);
            double plain;
            try (PlainLoop loop = new PlainLoop(alone, Rules.parse("average"), CORES)) {
                plain = loop.run(warmUp, rounds) * 1e3;
            }
            times.get("plain loop, average").add(plain);
            for (Map.Entry<String, Topology> each : deployments.entrySet()) {
                Training training = servers(model, data, each.getValue()).training(warmUp + rounds);
                List<RoundReport> reports = DataflowLoop.run(training, CORES, warmUp);
                double took = DataflowLoop.median(reports) * 1e3;
                times.computeIfAbsent(each.getKey(), key -> new ArrayList<>()).add(took);
                ratios.computeIfAbsent(each.getKey(), key -> new ArrayList<>()).add(took / plain);
                servers.computeIfAbsent(each.getKey(), key -> new ArrayList<>())
                        .add(took / times.get(ONE).get(turn));
            }
        }
        times.forEach(
                (deployment, took) ->
                        System.out.printf(
                                Locale.ROOT,
                                "| %s | %s | %.2f | %s | %s |%n",
                                model,
                                deployment,
                                Spread.of(took).median(),
                                text(ratios, deployment),
                                text(servers, deployment)));
    }

    private static String text(Map<String, List<Double>> measured, String deployment) {
        return measured.containsKey(deployment) ? Spread.of(measured.get(deployment)).text() : "";
    }

    private static ServerRound servers(String model, String data, Topology topology) {
        boolean nodes = topology.servers() == WORKERS;
        return new ServerRound(model, data, WORKERS, 3, nodes ? "median" : "multi-krum", topology);
    }
}
