package dev.levee.federated.plan;

import dev.levee.operators.rounds.SharedValue;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The virtual time of rounds that have a barrier: a round ends with the slowest contribution that
 * it takes, or at its deadline. Single-threaded.
 */
public final class VirtualClock {
    /**
     * Determines the duration of rounds.
     *
     * @param steps number of batches of each device in a round
     */
    public record Law(VirtualTime time, Deadline deadline, SharedValue<int[]> steps)
            implements Serializable {}

    private final Law law;
    private final double[] work;
    private final long seed;
    private final Deque<Double> times = new ArrayDeque<>();
    private double now;
    private VirtualRound last;

    /**
     * Creates a clock that continues from a state.
     *
     * @param state a result of {@link #state}, empty at the start
     */
    VirtualClock(Law law, long seed, double[] state) {
        this.law = law;
        this.work = law.time().work(law.steps().get(), seed);
        this.seed = seed;
        now = state.length == 0 ? 0 : state[0];
        Arrays.stream(state).skip(1).forEach(times::add);
    }

    /** The state to checkpoint. */
    double[] state() {
        return DoubleStream.concat(
                        DoubleStream.of(now), times.stream().mapToDouble(Double::doubleValue))
                .toArray();
    }

    /** The last simulated round. */
    VirtualRound last() {
        return last;
    }

    /**
     * Simulates the next round.
     *
     * @param asked devices that it asks, ascending
     * @param enough fewest contributions with which it closes
     * @return the devices whose contributions it takes, ascending
     */
    int[] take(int[] asked, long round, int enough) {
        double[] took = new double[asked.length];
        Arrays.setAll(
                took,
                i -> {
                    double own = work[asked[i]];
                    return law.time().away(seed, asked[i], round, own) + own;
                });
        double[] sorted = took.clone();
        Arrays.sort(sorted);
        double due = law.deadline().after(recent());
        int needed = Math.min(asked.length, enough);
        double closes =
                sorted[asked.length - 1] <= due
                        ? sorted[asked.length - 1]
                        : Math.max(due, sorted[needed - 1]);
        int[] rows = where(asked, took, closes, true);
        now += closes;
        last =
                new VirtualRound(
                        now, asked, rows, new long[rows.length], where(asked, took, closes, false));
        Arrays.stream(took).forEach(times::add);
        while (times.size() > Deadline.MEMORY) {
            times.remove();
        }
        return rows;
    }

    private double[] recent() {
        return times.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static int[] where(int[] asked, double[] took, double closes, boolean inTime) {
        return IntStream.range(0, asked.length)
                .filter(i -> took[i] <= closes == inTime)
                .map(i -> asked[i])
                .toArray();
    }
}
