package dev.levee.k8s.allocator.internal;

import java.util.List;
import java.util.PriorityQueue;

/**
 * Shares workers one at a time, each to the job where it is worth most. The result is exact,
 * because the objective is a sum of concave functions of one variable each, under bounds and one
 * equality (Fox 1966, Management Science 13:210). With ERA's −γ·|Δ|, each term stays concave: its
 * slope drops from e + γ to e − γ at the current number. Among equal jobs, the one with fewer
 * workers comes first, then the earlier one, so that unmeasured jobs share evenly.
 */
public final class Greedy {
    private Greedy() {}

    private record Bid(int job, int next, double gain) implements Comparable<Bid> {
        @Override
        public int compareTo(Bid other) {
            if (gain != other.gain) {
                return gain > other.gain ? -1 : 1;
            }
            return next != other.next
                    ? Integer.compare(next, other.next)
                    : Integer.compare(job, other.job);
        }
    }

    /**
     * The workers of each job; their sum is min(total, Σ most).
     *
     * @throws IllegalArgumentException if Σ least exceeds total
     */
    public static int[] share(List<Demand> jobs, int total) {
        int[] workers = new int[jobs.size()];
        long left = total;
        PriorityQueue<Bid> bids = new PriorityQueue<>(Math.max(1, jobs.size()));
        for (int j = 0; j < workers.length; j++) {
            workers[j] = jobs.get(j).least();
            left -= workers[j];
            bid(bids, jobs.get(j), j, workers[j]);
        }
        if (left < 0) {
            throw new IllegalArgumentException(
                    "%d jobs need at least %d workers, but there are %d"
                            .formatted(workers.length, total - left, total));
        }
        while (left > 0 && !bids.isEmpty()) {
            Bid best = bids.poll();
            workers[best.job()] = best.next();
            left--;
            bid(bids, jobs.get(best.job()), best.job(), best.next());
        }
        return workers;
    }

    private static void bid(PriorityQueue<Bid> bids, Demand demand, int job, int has) {
        if (has < demand.most()) {
            bids.add(new Bid(job, has + 1, demand.gain().of(has + 1)));
        }
    }
}
