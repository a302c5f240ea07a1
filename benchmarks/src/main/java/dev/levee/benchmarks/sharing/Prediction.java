package dev.levee.benchmarks.sharing;

import dev.levee.k8s.allocator.BatchRange;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.policy.Policies;
import dev.levee.k8s.allocator.policy.Tuning;
import dev.levee.k8s.simulator.ClusterSize;
import dev.levee.k8s.simulator.MeasuredJob;
import dev.levee.k8s.simulator.Outcome;
import dev.levee.k8s.simulator.Simulation;
import dev.levee.k8s.simulator.Submission;
import dev.levee.k8s.simulator.Timing;
import dev.levee.k8s.simulator.Workload;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Predicts the completion times of jobs with the simulator, from the times of rounds and starts
 * measured on a real cluster.
 */
final class Prediction {
    private Prediction() {}

    /**
     * Simulates the jobs.
     *
     * @param arrivals the jobs
     * @param shared the measured results under the simulated policy
     * @param slots number of slots of the cluster
     * @param decideSeconds seconds between decisions and between measurements
     */
    public static Outcome of(
            List<Arrival> arrivals, PolicyResult shared, int slots, double decideSeconds) {
        List<Submission> jobs = new ArrayList<>();
        for (int i = 0; i < arrivals.size(); i++) {
            Arrival arrival = arrivals.get(i);
            PolicyResult.Job ran = shared.jobs().get(i);
            long reference = (long) arrival.workers() * Arrival.BATCH;
            JobSpec spec = spec(arrival, reference);
            jobs.add(
                    new Submission(
                            spec,
                            spec,
                            () ->
                                    new MeasuredJob(
                                            ran.rounds().curve(),
                                            reference,
                                            arrival.rounds(),
                                            ran.rounds().noiseScale())));
        }
        Tuning tuning = Tuning.DEFAULT.withLongestWait(0); // no job was queued
        return Simulation.run(
                new Workload("measured", jobs),
                Policies.named(shared.policy(), decideSeconds, tuning),
                new ClusterSize(1, slots),
                new Timing(decideSeconds, decideSeconds, shared.pause()),
                point -> {});
    }

    private static JobSpec spec(Arrival arrival, long reference) {
        return new JobSpec(
                arrival.name(),
                Instant.EPOCH.plus(arrival.after()),
                new JobBounds(
                        1,
                        Arrival.MOST_WORKERS,
                        arrival.workers(),
                        Arrival.BATCH,
                        Arrival.MOST_SAMPLES,
                        1),
                new BatchRange(reference, 1, Integer.MAX_VALUE, false),
                true);
    }
}
