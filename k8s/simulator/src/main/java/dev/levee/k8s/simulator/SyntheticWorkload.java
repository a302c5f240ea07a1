package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.BatchRange;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobSpec;
import dev.levee.k8s.allocator.SlotSpeeds;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Draws jobs at random, with the setup of ERA's thesis: 2 workers at the start, 1 to 16 workers
 * allowed, 16 samples per worker at the start, at most 1024 samples per round.
 */
public final class SyntheticWorkload {
    private static final int LEAST = 1;
    private static final int START = 2;
    private static final int MOST = 16;
    private static final int LOCAL_BATCH = 16;
    private static final long LARGEST_BATCH = 1024;
    private static final double LEARNING_RATE = 0.1;

    private SyntheticWorkload() {}

    /**
     * The gains of jobs from faster slots. On slots of speed v, a job computes at speed
     * v<sup>a</sup>; each job draws its a uniformly from [1 − spread, 1 + spread].
     *
     * @param spread 0 to 1; with 0, all jobs have the speeds of the classes
     * @param declared true if policies are told a job's speeds before it runs
     */
    public record Speeds(double spread, boolean declared) {
        /** The speeds of the classes themselves. */
        public static final Speeds NOMINAL = new Speeds(0, false);

        /**
         * Checks the spread.
         *
         * @throws IllegalArgumentException if it is out of range; one sentence
         */
        public Speeds {
            if (!(spread >= 0 && spread <= 1)) {
                throw new IllegalArgumentException(
                        "--speed-spread must be from 0 to 1, got " + spread);
            }
        }

        private SlotSpeeds draw(Random random) {
            double exponent = 1 + spread * (2 * random.nextDouble() - 1);
            return spread == 0 ? SlotSpeeds.NOMINAL : speed -> StrictMath.pow(speed, exponent);
        }
    }

    /**
     * Draws a workload.
     *
     * @param jobs number of jobs
     * @param sync factor on the seconds that each further worker adds to a round; 1 by default
     * @param schedule the times of submission
     * @param seed the seed of the jobs' properties
     */
    public static Workload draw(int jobs, double sync, SubmissionSchedule schedule, long seed) {
        return draw(jobs, sync, Double.POSITIVE_INFINITY, Speeds.NOMINAL, schedule, seed);
    }

    /**
     * Draws a workload.
     *
     * @param jobs number of jobs
     * @param sync factor on the seconds that each further worker adds to a round; 1 by default
     * @param noiseScale the gradient's noise scale in samples; infinite if samples count fully
     * @param speeds their gain from faster slots
     * @param schedule the times of submission
     * @param seed the seed of the jobs' properties
     */
    public static Workload draw(
            int jobs,
            double sync,
            double noiseScale,
            Speeds speeds,
            SubmissionSchedule schedule,
            long seed) {
        if (jobs < 1) {
            throw new IllegalArgumentException("--jobs must be at least 1, got " + jobs);
        }
        Random random = new Random(seed);
        Random gains = new Random(~seed); // leaves all other random values unchanged
        double[] arrivals = schedule.arrivals(jobs, List.of());
        List<Submission> submissions = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            double overhead = 0.2 + 0.4 * random.nextDouble();
            double perSample = 0.005 * StrictMath.pow(4, random.nextDouble());
            double perWorker = sync * 0.02 * random.nextDouble();
            int memoryBatch = (int) (48 * StrictMath.pow(8, random.nextDouble()));
            double samples = 100_000 * StrictMath.exp(0.8 * random.nextGaussian());
            SlotSpeeds own = speeds.draw(gains);
            JobSpec spec =
                    new JobSpec(
                            "job-" + i,
                            Simulation.instant(arrivals[i]),
                            new JobBounds(
                                    LEAST, MOST, START, LOCAL_BATCH, LARGEST_BATCH, LEARNING_RATE),
                            new BatchRange((long) START * LOCAL_BATCH, 1, Integer.MAX_VALUE, false),
                            true,
                            speeds.declared() ? own : SlotSpeeds.NOMINAL);
            submissions.add(
                    new Submission(
                            spec,
                            spec,
                            () ->
                                    new SyntheticJob(
                                            overhead,
                                            perSample,
                                            perWorker,
                                            memoryBatch,
                                            (long) START * LOCAL_BATCH,
                                            noiseScale,
                                            samples,
                                            own)));
        }
        return new Workload("synthetic", submissions);
    }
}
