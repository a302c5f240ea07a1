package dev.levee.operators.rounds.plan;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Sample;
import dev.levee.operators.rounds.HalfBatches;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Estimates the gradient's noise scale φ = tr(Σ) / |G|² in samples, where Σ is the covariance of
 * one sample's gradient and G the mean (McCandlish et al. 2018, "An empirical model of large-batch
 * training", §2.2), from the gradients of several workers on independent batches. For two workers,
 * |gᵢ − gⱼ|² / (1/bᵢ + 1/bⱼ) has the mean tr(Σ), and ⟨gᵢ, gⱼ⟩ has the mean |G|². Both are averaged
 * over rounds for each pair; the ratio is taken last.
 *
 * <p>Byzantine workers may send any values, and a rule may select them, so averages over all rows
 * or over the selected rows are not robust. Each of the two numbers is the median over i of the
 * median over j of the pairs' averages. If fewer than half of the other workers are Byzantine, each
 * honest worker has an honest majority of pairs, so both medians lie between values of honest
 * pairs. This requires that a worker keeps its id: otherwise, one Byzantine worker could affect all
 * pairs.
 *
 * <p>In a round of one worker, the two halves of its batch are compared in the same way ({@link
 * HalfBatches}).
 *
 * <p>A worker with momentum μ sends m ← μ·m + (1 − μ)·g. The variance of m is that of one sample
 * times v ← μ²·v + (1 − μ)²/b. Here v replaces 1/b, so tr(Σ) remains unbiased; |G|² is then that of
 * the average gradient over about 1/(1 − μ) rounds.
 */
public final class NoiseScale {
    /** Most coordinates that are read; for larger models, a new random sample in each round. */
    private static final long COORDINATES = 1 << 16;

    private static final long STREAM = 0x4E4F495345L;

    /** Measures distances and products of all pairs, both directly. */
    public static final Look LOOK =
            new Look(true, true, true, false, List.of(), Sample.count(COORDINATES, STREAM));

    /** Weight of past rounds in an average after one round; averages cover about 500 rounds. */
    private static final double DECAY = 0.998;

    /** Number of rounds before a pair counts. */
    private static final double FEWEST = 10;

    /**
     * Weight, in rounds, of the previous estimate in a new pair's average: ten rounds of its own
     * are too few.
     */
    private static final double KNOWN = 100;

    /** The noise scale if |G|² is lost in the noise. */
    private static final double LARGEST = 1e12;

    private static final int MOST = Elasticity.MOST_WORKERS;

    /** Averages of one pair: sums with decaying weights, and the sum of these weights. */
    private record Pair(double weight, double trace, double product) {
        private static final Pair NONE = new Pair(0, 0, 0);

        private Pair and(double moreTrace, double moreProduct) {
            return new Pair(
                    DECAY * weight + 1, DECAY * trace + moreTrace, DECAY * product + moreProduct);
        }
    }

    /**
     * The round of a worker's last contribution, and the contribution's variance relative to that
     * of one sample.
     */
    private record Sent(long round, double variance) {}

    private final double momentum;
    private final TreeMap<Integer, Pair> pairs = new TreeMap<>();
    private final TreeMap<Integer, Sent> sent = new TreeMap<>();
    private double value = Double.NaN;

    /**
     * Creates an estimate without data.
     *
     * @param momentum the workers' momentum, 0 for none
     */
    NoiseScale(double momentum) {
        this.momentum = momentum;
    }

    /** Restores a {@link #snapshot} that begins at an index of an array. */
    void restore(double[] values, int at) {
        int next = at;
        value = values[next++];
        for (int left = (int) values[next++]; left > 0; left--) {
            sent.put((int) values[next++], new Sent((long) values[next++], values[next++]));
        }
        for (int left = (int) values[next++]; left > 0; left--) {
            pairs.put(
                    (int) values[next++], new Pair(values[next++], values[next++], values[next++]));
        }
    }

    /** The state to checkpoint. */
    double[] snapshot() {
        double[] values = new double[3 + 3 * sent.size() + 4 * pairs.size()];
        int next = 0;
        values[next++] = value;
        values[next++] = sent.size();
        for (Map.Entry<Integer, Sent> each : sent.entrySet()) {
            values[next++] = each.getKey();
            values[next++] = each.getValue().round();
            values[next++] = each.getValue().variance();
        }
        values[next++] = pairs.size();
        for (Map.Entry<Integer, Pair> each : pairs.entrySet()) {
            values[next++] = each.getKey();
            values[next++] = each.getValue().weight();
            values[next++] = each.getValue().trace();
            values[next++] = each.getValue().product();
        }
        return values;
    }

    /** φ in samples, NaN until it is known. */
    double value() {
        return value;
    }

    /**
     * Adds one round.
     *
     * @param ids workers whose rows it had, ascending
     * @param batch samples of each of them
     * @param seen measurements of these rows by {@link #LOOK}; for one row, of the halves of its
     *     batch, if it has any
     */
    void add(long round, int[] ids, int batch, LookResult seen) {
        Pair known = hasNewPair(ids) ? known() : Pair.NONE;
        double[] variances = Arrays.stream(ids).mapToDouble(id -> sent(id, round, batch)).toArray();
        if (ids.length == 1 && seen.points() == 2) {
            // The halves are raw gradients, without momentum.
            double first = HalfBatches.first(batch);
            add(ids[0], ids[0], known, 1 / first + 1 / (batch - first), seen, 0, 1);
        }
        for (int i = 0; i < ids.length; i++) {
            for (int j = i + 1; j < ids.length; j++) {
                add(ids[i], ids[j], known, variances[i] + variances[j], seen, i, j);
            }
        }
        double trace = median(ids, Pair::trace);
        double product = median(ids, Pair::product);
        if (!Double.isNaN(trace) && !Double.isNaN(product)) {
            value = product > trace / LARGEST ? trace / product : LARGEST;
        }
    }

    private boolean hasNewPair(int[] ids) {
        for (int i = 0; i < ids.length; i++) {
            for (int j = ids.length == 1 ? i : i + 1; j < ids.length; j++) {
                if (!pairs.containsKey(key(ids[i], ids[j]))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The estimate from existing pairs, from which new pairs start; empty at first. */
    private Pair known() {
        long newest = sent.values().stream().mapToLong(Sent::round).max().orElse(-1);
        int[] ids =
                sent.entrySet().stream()
                        .filter(each -> each.getValue().round() == newest)
                        .mapToInt(Map.Entry::getKey)
                        .toArray();
        double trace = median(ids, Pair::trace);
        double product = median(ids, Pair::product);
        return Double.isNaN(trace) || Double.isNaN(product)
                ? Pair.NONE
                : new Pair(KNOWN, KNOWN * trace, KNOWN * product);
    }

    /**
     * Adds the measurements of two rows. The variance is that of their difference, relative to one
     * sample's.
     */
    private void add(
            int one, int other, Pair known, double variance, LookResult seen, int i, int j) {
        double trace = seen.squaredDistance(i, j) / variance;
        double product = seen.innerProduct(i, j);
        if (Double.isFinite(trace) && Double.isFinite(product)) {
            pairs.compute(
                    key(one, other), (key, old) -> (old == null ? known : old).and(trace, product));
        }
    }

    private double sent(int id, long round, int batch) {
        Sent before = sent.get(id);
        boolean goesOn = before != null && before.round() == round - 1;
        double fresh = 1 - momentum;
        double variance =
                goesOn
                        ? momentum * momentum * before.variance() + fresh * fresh / batch
                        : 1.0 / batch;
        sent.put(id, new Sent(round, variance));
        return variance;
    }

    private interface Part {
        double of(Pair pair);
    }

    /** The median over workers of the median over their pairs; NaN if no pair is old enough. */
    private double median(int[] ids, Part part) {
        List<Double> byWorker = new ArrayList<>();
        for (int i : ids) {
            List<Double> others = new ArrayList<>();
            for (int j : ids) {
                // A worker's own halves count only if there is no other worker.
                boolean counts = i != j || ids.length == 1;
                Pair pair = counts ? pairs.getOrDefault(key(i, j), Pair.NONE) : Pair.NONE;
                if (pair.weight() >= weight(FEWEST)) {
                    others.add(part.of(pair) / pair.weight());
                }
            }
            if (!others.isEmpty()) {
                byWorker.add(middle(others));
            }
        }
        return byWorker.isEmpty() ? Double.NaN : middle(byWorker);
    }

    /** Sum of the weights of a number of rounds. */
    private static double weight(double rounds) {
        return (1 - StrictMath.pow(DECAY, rounds)) / (1 - DECAY) * (1 - 1e-9);
    }

    private static int key(int i, int j) {
        return Math.min(i, j) * MOST + Math.max(i, j);
    }

    private static double middle(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
