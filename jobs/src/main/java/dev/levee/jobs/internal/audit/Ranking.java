package dev.levee.jobs.internal.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Ranks workers by how much they differ from the others: by the lower end of the confidence
 * interval of their distance, then by how often they were refused, then by their loss.
 *
 * @param workers the workers, starting with the one that differs most
 * @param rounds number of rounds in the ranking, over all servers
 */
public record Ranking(List<WorkerHistory> workers, int rounds) {
    /**
     * A distance stands out only from this ratio on, because in a long run any difference is
     * significant.
     */
    private static final double LARGER = 1.05;

    /** A worker with at least this many jumps may stand out; fewer may be chance. */
    private static final int JUMPS = 3;

    /** Ranks the workers of a log. */
    public static Ranking of(List<LoggedRound> rounds) {
        TreeMap<Integer, WorkerHistory.Builder> builders = new TreeMap<>();
        for (LoggedRound round : rounds) {
            add(round, builders);
        }
        return new Ranking(
                builders.values().stream()
                        .map(WorkerHistory.Builder::build)
                        .sorted(
                                descending(WorkerHistory::low)
                                        .thenComparing(descending(WorkerHistory::refusedShare))
                                        .thenComparing(descending(WorkerHistory::loss))
                                        .thenComparing(WorkerHistory::worker))
                        .toList(),
                rounds.size());
    }

    private static Comparator<WorkerHistory> descending(ToDoubleFunction<WorkerHistory> value) {
        return Comparator.comparingDouble(
                each -> {
                    double of = value.applyAsDouble(each);
                    return Double.isNaN(of) ? Double.POSITIVE_INFINITY : -of;
                });
    }

    private static void add(LoggedRound round, TreeMap<Integer, WorkerHistory.Builder> builders) {
        Set<Integer> used = set(round.selected());
        Set<Integer> faults = set(round.faults());
        for (int worker : round.asked()) {
            builder(builders, worker).asked(used.contains(worker), faults.contains(worker));
        }
        double distance = median(round.distances());
        double loss = median(round.losses());
        for (int row = 0; row < round.rows().length; row++) {
            WorkerHistory.Builder builder = builder(builders, round.rows()[row]);
            double far = relative(round.distances(), row, distance);
            if (Double.isFinite(far)) {
                builder.distance(round.round(), far);
            }
            double high = relative(round.losses(), row, loss);
            if (Double.isFinite(high)) {
                builder.loss(high);
            }
        }
    }

    private static WorkerHistory.Builder builder(
            TreeMap<Integer, WorkerHistory.Builder> builders, int worker) {
        return builders.computeIfAbsent(worker, WorkerHistory.Builder::new);
    }

    /** Logarithm of one value's ratio to the median of all; NaN if it has none. */
    static double relative(double[] values, int row, double median) {
        return row < values.length && values[row] > 0 && median > 0
                ? Math.log(values[row] / median)
                : Double.NaN;
    }

    /** The median of the finite values. */
    static double median(double[] values) {
        return WorkerHistory.median(
                Arrays.stream(values).filter(Double::isFinite).boxed().toList());
    }

    private static Set<Integer> set(int[] ids) {
        Set<Integer> set = new HashSet<>();
        IntStream.of(ids).forEach(set::add);
        return set;
    }

    /**
     * Returns the workers that stand out, in order. A worker stands out if the whole interval of
     * its distance is {@value #LARGER} times above those of the nearer half of the workers with an
     * interval, or if it has jumped at least {@value #JUMPS} times and more than twice as often as
     * the median worker.
     */
    public List<WorkerHistory> outstanding() {
        List<WorkerHistory> measured =
                workers.stream()
                        .filter(each -> Double.isFinite(each.high()))
                        .sorted(Comparator.comparingDouble(WorkerHistory::distance))
                        .toList();
        double usual =
                measured.stream()
                        .limit((measured.size() + 1) / 2)
                        .mapToDouble(WorkerHistory::high)
                        .max()
                        .orElse(Double.NaN);
        double jumps =
                WorkerHistory.median(
                        workers.stream().map(each -> (double) each.jumps().size()).toList());
        List<WorkerHistory> found = new ArrayList<>();
        for (WorkerHistory each : workers) {
            if (each.low() > LARGER * usual
                    || each.jumps().size() >= JUMPS && each.jumps().size() > 2 * jumps) {
                found.add(each);
            }
        }
        return found;
    }

    /**
     * The rank of a worker by a value, from 1 for the largest; workers without a value come last.
     */
    int place(WorkerHistory worker, ToDoubleFunction<WorkerHistory> value) {
        double own = value.applyAsDouble(worker);
        return 1
                + (int)
                        workers.stream()
                                .mapToDouble(value)
                                .filter(
                                        each ->
                                                each > own
                                                        || Double.isNaN(own) && !Double.isNaN(each))
                                .count();
    }
}
