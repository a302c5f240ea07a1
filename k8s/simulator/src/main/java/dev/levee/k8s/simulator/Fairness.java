package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.Policy;

import java.util.ArrayList;
import java.util.List;

/**
 * Finish-time fairness (Mahajan et al., "Themis", NSDI 2020): ρ = T_sh / T_id of each job, where
 * T_sh is its completion time in the shared cluster and T_id its completion time alone on its
 * independent share, a cluster of 1/N of the slots. If ρ is above 1, the job would have been faster
 * with its own cluster.
 *
 * <p>N is the mean number of unfinished jobs, including the job itself, from its submission to its
 * end in the shared cluster. T_id is simulated, with the same policy, pauses, and times of
 * decisions. {@link SoloDurations#seconds(String, double)} describes fractional shares.
 *
 * @param rho ρ of each job, in order of submission
 */
public record Fairness(List<Double> rho) {
    private static final double PERCENTILE = 0.9;

    /** Copies the list. */
    public Fairness {
        rho = List.copyOf(rho);
    }

    /**
     * The fairness of a simulation's jobs.
     *
     * @param outcome the result of the simulation of the other arguments
     */
    public static Fairness of(
            Outcome outcome, Workload workload, Policy policy, ClusterSize size, Timing timing) {
        SoloDurations alone = new SoloDurations(workload, policy, size, timing);
        List<Double> rho = new ArrayList<>();
        for (Outcome.Job job : outcome.jobs()) {
            double share = size.slots() / sharers(job, outcome.jobs());
            rho.add(job.completionSeconds() / alone.seconds(job.id(), share));
        }
        return new Fairness(rho);
    }

    /** Mean number of unfinished jobs between a job's submission and its end. */
    private static double sharers(Outcome.Job job, List<Outcome.Job> all) {
        double together = 0;
        for (Outcome.Job other : all) {
            double from = Math.max(job.arrival(), other.arrival());
            double to = Math.min(job.finished(), other.finished());
            together += Math.max(0, to - from);
        }
        return together / job.completionSeconds();
    }

    /** The largest ρ: the ratio of the job that sharing slowed most. */
    public double worst() {
        return rho.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** The smallest value that at least 90 % of the jobs do not exceed. */
    public double percentile90() {
        double[] ascending = rho.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return ascending[(int) Math.ceil(PERCENTILE * ascending.length) - 1];
    }
}
