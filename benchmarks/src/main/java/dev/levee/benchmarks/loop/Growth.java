package dev.levee.benchmarks.loop;

import dev.levee.benchmarks.Machine;
import dev.levee.benchmarks.Spread;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.topology.Exchange;
import dev.levee.operators.rounds.topology.Topology;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures how throughput depends on the number of workers, Byzantine workers, Byzantine-tolerant
 * servers, and parameters, as in figures 3.7, 3.8 and 3.10 of the thesis. Each deployment is
 * compared with averaging the same gradients in a plain loop, alternately.
 */
public final class Growth {
    private static final int CORES = 2;
    private static final int TURNS = 3;
    private static final String STROKES = "strokes:?train=2000&test=100&seed=1";

    private Growth() {}

    /** A row of the table: the varied number, and the round. */
    private record Case(String about, ServerRound round) {}

    /** Takes no arguments. */
    public static void main(String[] args) throws Exception {
        Machine.print();
        System.out.printf(
                "multi-krum, median of models, batch 32; gradients per second, and rounds in times"
                        + " those of a plain loop that averages as many, medians of %d turns%n%n",
                TURNS);
        System.out.println("| grows | deployment | gradients/s | slowdown |\n|---|---|---|---|");
        for (int workers : new int[] {5, 10, 20, 40}) {
            measure("n = " + workers + ", f = 1", "mnist-cnn", workers, 1, 1, 3);
        }
        for (int byzantine : new int[] {0, 1, 2, 3}) {
            measure("f = " + byzantine + ", n = 10", "mnist-cnn", 10, byzantine, 1, 3);
        }
        measure("servers, n = 10, f = 3", "mnist-cnn", 10, 3, 1, 3, 5, 7);
        for (String model : new String[] {"logistic", "mnist-cnn", "lenet"}) {
            measure(model + ", n = 10, f = 3", model, 10, 3, 1, 3);
        }
    }

    private static Topology topology(int servers) {
        return servers == 1
                ? Topology.ONE
                : Topology.replicas(servers, new Exchange(Rules.parse("median"), servers / 2));
    }

    private static String words(int servers) {
        return servers == 1
                ? "one server"
                : servers + " servers, " + servers / 2 + " of which may lie";
    }

    private static void measure(String about, String model, int workers, int f, int... servers)
            throws Exception {
        int rounds = 4000 / workers;
        int warmUp = rounds / 2;
        List<Case> cases = new ArrayList<>();
        for (int count : servers) {
            cases.add(
                    new Case(
                            words(count),
                            new ServerRound(
                                    model, STROKES, workers, f, "multi-krum", topology(count))));
        }
        Map<Case, List<Double>> rates = new LinkedHashMap<>();
        Map<Case, List<Double>> ratios = new LinkedHashMap<>();
        for (int turn = 0; turn < TURNS; turn++) {
            double plain;
            try (PlainLoop loop =
                    new PlainLoop(
                            cases.get(0).round().training(warmUp + rounds),
                            Rules.parse("average"),
                            CORES)) {
                plain = loop.run(warmUp, rounds);
            }
            for (Case each : cases) {
                double took =
                        DataflowLoop.median(
                                DataflowLoop.run(
                                        each.round().training(warmUp + rounds), CORES, warmUp));
                rates.computeIfAbsent(each, key -> new ArrayList<>()).add(workers / took);
                ratios.computeIfAbsent(each, key -> new ArrayList<>()).add(took / plain);
            }
        }
        rates.forEach(
                (each, rate) ->
                        System.out.printf(
                                Locale.ROOT,
                                "| %s | %s | %.0f | %s |%n",
                                about,
                                each.about(),
                                Spread.of(rate).median(),
                                Spread.of(ratios.get(each)).text()));
    }
}
