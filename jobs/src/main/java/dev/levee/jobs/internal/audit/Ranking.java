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
 * Workers by how little they are like the others: by the lower end of the interval of their
 * distance, then by how often they were refused, then by their loss.
 *
 * @param workers from the one that is least like the others
 * @param rounds that they are ranked by, of all servers
 */
public record Ranking(List<WorkerHistory> workers, int rounds) {
    /** A distance is so much larger than usual before it matters: long runs tell any difference. */
    private static final double LARGER = 1.05;

    /** Jumps from which on a worker stands out: fewer may be bad luck. */
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

    /** Logarithm of the ratio of one to the median of all; NaN if there is none. */
    static double relative(double[] values, int row, double median) {
        return row < values.length && values[row] > 0 && median > 0
                ? Math.log(values[row] / median)
                : Double.NaN;
    }

    /** The median of those that are numbers. */
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
     * Workers that are not like the others, in order: the whole interval of their distance is
     * {@value #LARGER} times above those of the nearer half of all workers, or they have jumped at
     * least {@value #JUMPS} times and more than twice as often as the median worker.
     */
    public List<WorkerHistory> outstanding() {
        List<WorkerHistory> near =
                workers.stream()
                        .filter(each -> Double.isFinite(each.distance()))
                        .sorted(Comparator.comparingDouble(WorkerHistory::distance))
                        .limit((workers.size() + 1) / 2)
                        .toList();
        double usual = near.stream().mapToDouble(WorkerHistory::high).max().orElse(Double.NaN);
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

    /** The place of a worker by a number, from 1 for the largest; those without one come last. */
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
