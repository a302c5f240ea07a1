package dev.levee.k8s.simulator;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measured step and synchronization times of one application, in seconds. Values that were not
 * measured are interpolated: between local batches, then between numbers of workers on the same
 * number of nodes, then between numbers of nodes with the same number of workers per node.
 */
final class StepTimes {
    private static final int MOST_NODES = 16;

    private final Map<String, Curve> byPlacement = new HashMap<>();
    private final TreeMap<Integer, TreeMap<Integer, Curve>> bySize = new TreeMap<>();
    private final Map<String, double[]> known = new HashMap<>();
    private int smallestBatch = Integer.MAX_VALUE;
    private int largestBatch;

    static StepTimes read(Path folder) throws IOException {
        StepTimes times = new StepTimes();
        Map<String, int[]> counts = new HashMap<>();
        for (String[] row : Csv.rows(folder.resolve("placements.csv"), 4)) {
            int batch = Integer.parseInt(row[1]);
            double[] value = {Double.parseDouble(row[2]), Double.parseDouble(row[3])};
            times.byPlacement.computeIfAbsent(normal(row[0]), key -> new Curve()).put(batch, value);
            times.smallestBatch = Math.min(times.smallestBatch, batch);
            times.largestBatch = Math.max(times.largestBatch, batch);
            int nodes = row[0].length();
            int workers = row[0].chars().map(digit -> digit - '0').sum();
            int seen =
                    counts.computeIfAbsent(nodes + "/" + workers + "/" + batch, k -> new int[1])[
                            0]++;
            Curve curve = times.curve(nodes, workers);
            curve.put(
                    batch, seen == 0 ? value : Curve.mix(curve.at(batch), value, 1.0 / (seen + 1)));
        }
        for (String[] row : Csv.rows(folder.resolve("scalability.csv"), 5)) {
            times.curve(Integer.parseInt(row[0]), Integer.parseInt(row[1]))
                    .put(
                            Integer.parseInt(row[2]),
                            Double.parseDouble(row[3]),
                            Double.parseDouble(row[4]));
        }
        return times;
    }

    int smallestBatch() {
        return smallestBatch;
    }

    int largestBatch() {
        return largestBatch;
    }

    /** Step and synchronization time. */
    double[] at(int[] workersByNode, int localBatch) {
        StringBuilder digits = new StringBuilder();
        for (int workers : workersByNode) {
            digits.append(workers).append(workers > 9 ? "," : "");
        }
        return known.computeIfAbsent(
                normal(digits.toString()) + "/" + localBatch,
                key -> find(normal(digits.toString()), workersByNode, localBatch));
    }

    private double[] find(String placement, int[] workersByNode, int localBatch) {
        Curve exact = byPlacement.get(placement);
        if (exact != null) {
            return exact.at(localBatch);
        }
        int workers = 0;
        for (int here : workersByNode) {
            workers += here;
        }
        double nodes = Math.min(MOST_NODES, workersByNode.length);
        int below = bySize.floorKey((int) nodes);
        Integer above = bySize.ceilingKey((int) nodes);
        double[] low = onNodes(below, workers * below / nodes, localBatch);
        if (above == null || above == below) {
            return low;
        }
        double[] high = onNodes(above, workers * above / nodes, localBatch);
        return Curve.mix(low, high, (nodes - below) / (above - below));
    }

    private double[] onNodes(int nodes, double workers, int localBatch) {
        Curve curve = new Curve();
        bySize.get(nodes).forEach((count, byBatch) -> curve.put(count, byBatch.at(localBatch)));
        return curve.at(workers);
    }

    private Curve curve(int nodes, int workers) {
        return bySize.computeIfAbsent(nodes, key -> new TreeMap<>())
                .computeIfAbsent(workers, key -> new Curve());
    }

    /** The lexicographically smallest rotation of a placement, because rotations are equivalent. */
    private static String normal(String placement) {
        String least = placement;
        for (int i = 1; i < placement.length(); i++) {
            String rotated = placement.substring(i) + placement.substring(0, i);
            least = rotated.compareTo(least) < 0 ? rotated : least;
        }
        return least;
    }
}
