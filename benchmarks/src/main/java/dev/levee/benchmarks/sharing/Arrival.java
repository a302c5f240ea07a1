package dev.levee.benchmarks.sharing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A training job and its arrival.
 *
 * @param name name of its output folder
 * @param after time after the first arrival
 * @param model model to train
 * @param workers requested number of workers, 1 or 2; it may have 1 to 4
 * @param rounds number of rounds at the initial batch size
 * @param seed seed of its training
 */
record Arrival(String name, Duration after, String model, int workers, long rounds, long seed) {
    /** Approximate rounds per second of one worker with its own processor. */
    private static final double LOGISTIC_PER_SECOND = 1200;

    private static final double NETWORK_PER_SECOND = 200;

    /** Shortest length of a job, as a share of the whole time. */
    private static final double SHORTEST = 1 / 20.0;

    private static final double LONGEST = 1 / 4.0;

    /** Initial samples of a worker in a round. */
    static final int BATCH = 16;

    static final int MOST_WORKERS = 4;
    static final int MOST_SAMPLES = 512;

    /**
     * Draws jobs. Arrivals are uniform; lengths are log-uniform between a twentieth and a quarter
     * of the whole time; every third job trains a convolutional network, the others a logistic
     * regression.
     *
     * @param over time over which the jobs arrive
     */
    public static List<Arrival> draw(int jobs, Duration over, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double all = over.toMillis() / 1e3;
        double[] times = random.doubles(jobs, 0, all).sorted().toArray();
        List<Arrival> arrivals = new ArrayList<>();
        for (int job = 0; job < jobs; job++) {
            boolean network = job % 3 == 2;
            double seconds = all * SHORTEST * Math.pow(LONGEST / SHORTEST, random.nextDouble());
            double rounds = seconds * (network ? NETWORK_PER_SECOND : LOGISTIC_PER_SECOND);
            arrivals.add(
                    new Arrival(
                            "job-" + job,
                            Duration.ofMillis(Math.round(1000 * (times[job] - times[0]))),
                            network ? "lenet" : "logistic",
                            1 + random.nextInt(2),
                            Math.max(1, Math.round(rounds)),
                            1 + job));
        }
        return List.copyOf(arrivals);
    }

    /** The job's options of {@code levee train}. */
    List<String> options() {
        return List.of(
                "--dataset=strokes:",
                "--model=" + model,
                "--aggregator=average",
                "--byzantine=0",
                "--attack=none",
                "--workers=" + workers,
                "--batch-size=" + BATCH,
                "--learning-rate=0.05",
                "--rounds=" + rounds,
                "--seed=" + seed,
                "--elastic=min=1,max=" + MOST_WORKERS + ",max-batch=" + MOST_SAMPLES,
                "--checkpoint-interval=2s");
    }
}
