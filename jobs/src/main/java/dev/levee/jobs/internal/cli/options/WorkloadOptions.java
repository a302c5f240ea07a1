package dev.levee.jobs.internal.cli.options;

import dev.levee.jobs.internal.config.setting.Durations;
import dev.levee.k8s.simulator.PolluxWorkload;
import dev.levee.k8s.simulator.PolluxWorkload.StartBatch;
import dev.levee.k8s.simulator.SubmissionSchedule;
import dev.levee.k8s.simulator.SyntheticWorkload;
import dev.levee.k8s.simulator.Workload;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Options for the jobs of a simulation and their arrival times. */
public final class WorkloadOptions {
    private static final String SYNTHETIC = "synthetic";

    @Option(
            names = "--workload",
            paramLabel = "FILE",
            defaultValue = SYNTHETIC,
            description =
                    "Workload files of the Pollux artifact; may be repeated (default: "
                            + "synthetic jobs, drawn at random).")
    private List<String> workloads;

    @Option(
            names = "--traces",
            paramLabel = "DIR",
            description =
                    "The artifact's measurements, one folder per application (default: traces next"
                            + " to the workload's folder).")
    private Path traces;

    @Option(
            names = "--schedule",
            paramLabel = "NAME",
            description =
                    "Arrival of jobs: csv (default with a file), poisson (default without), "
                            + "all-at-once or fixed.")
    private String schedule;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            description =
                    "Time between arrivals: the mean for poisson, exact for fixed (default: "
                            + "${DEFAULT-VALUE}).")
    private String interval = "2min";

    @Option(
            names = "--jobs",
            paramLabel = "COUNT",
            description = "Number of synthetic jobs (default: ${DEFAULT-VALUE}).")
    private int jobs = 60;

    @Option(
            names = "--sync-cost",
            paramLabel = "FACTOR",
            defaultValue = "1",
            description =
                    "Cost of additional workers for synthetic jobs; 0 is free (default: "
                            + "${DEFAULT-VALUE}).")
    private double syncCost;

    @Option(
            names = "--noise-scale",
            paramLabel = "SAMPLES",
            description =
                    "Gradient noise scale of synthetic jobs, above which a larger batch adds "
                            + "little (default: all samples count fully).")
    private Double noiseScale;

    @Option(
            names = "--speed-spread",
            paramLabel = "X",
            defaultValue = "0",
            description =
                    "How much synthetic jobs differ in their gain from faster slots: on slots "
                            + "of speed v, a job computes at v^a, with a from 1 − X to 1 + X "
                            + "(default: ${DEFAULT-VALUE}).")
    private double speedSpread;

    @Option(
            names = "--declare-speeds",
            description =
                    "Tell policies the speeds of --speed-spread; otherwise they assume those of "
                            + "--cluster until a job has run on two kinds of slots.")
    private boolean declareSpeeds;

    @Option(
            names = "--start-batch",
            paramLabel = "WHICH",
            description =
                    "Batch per worker of elastic jobs from a file: requested, a worker's "
                            + "share of the file's batch, or initial, the smallest validated one "
                            + "(default: ${DEFAULT-VALUE}). Policies that choose the batch by its "
                            + "value start from the smallest; with requested, only ncf keeps its own, "
                            + "as in the artifact.")
    private String startBatch = "requested";

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Seed of all random choices (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    /**
     * Creates the workloads.
     *
     * @throws IllegalArgumentException if an option is wrong; one sentence
     */
    public List<Workload> load() throws IOException {
        notNegative("--sync-cost", syncCost);
        if (noiseScale != null) {
            positive("--noise-scale", noiseScale);
        }
        List<Workload> loads = new ArrayList<>();
        for (String name : workloads) {
            loads.add(load(name));
        }
        return loads;
    }

    /** Adds these options to the configuration in a report. */
    public void describe(Map<String, Object> configuration) {
        configuration.put("workload", workloads);
        configuration.put("schedule", schedule == null ? "default" : schedule);
        configuration.put("interval", interval);
        configuration.put("jobs", jobs);
        configuration.put("sync-cost", syncCost);
        configuration.put("noise-scale", noiseScale == null ? "infinite" : noiseScale);
        configuration.put("speed-spread", speedSpread);
        configuration.put("declare-speeds", declareSpeeds);
        configuration.put("start-batch", startBatch);
        configuration.put("seed", seed);
    }

    private Workload load(String name) throws IOException {
        boolean synthetic = name.equals(SYNTHETIC);
        String when = schedule != null ? schedule : synthetic ? "poisson" : "csv";
        SubmissionSchedule arrivals =
                SubmissionSchedule.named(
                        when, Durations.positive("--interval", interval).toMillis() / 1e3, seed);
        if (synthetic) {
            return SyntheticWorkload.draw(
                    jobs,
                    syncCost,
                    noiseScale == null ? Double.POSITIVE_INFINITY : noiseScale,
                    new SyntheticWorkload.Speeds(speedSpread, declareSpeeds),
                    arrivals,
                    seed);
        }
        Path file = Path.of(name).toAbsolutePath();
        Path measurements = traces != null ? traces : file.resolveSibling("../traces").normalize();
        return PolluxWorkload.read(file, measurements, arrivals, start());
    }

    private StartBatch start() {
        return switch (startBatch) {
            case "requested" -> StartBatch.REQUESTED;
            case "initial" -> StartBatch.INITIAL;
            default ->
                    throw new IllegalArgumentException(
                            "--start-batch must be requested or initial, got " + startBatch);
        };
    }

    static void positive(String option, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(option + " must be above 0, got " + value);
        }
    }

    static void notNegative(String option, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(option + " must not be negative, got " + value);
        }
    }
}
