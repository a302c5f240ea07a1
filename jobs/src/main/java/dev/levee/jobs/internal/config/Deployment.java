package dev.levee.jobs.internal.config;

import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.jobs.internal.config.setting.Values;

import java.time.Duration;

/** Where a run executes and where its results go. Nothing here changes the model. */
public record Deployment(
        @Setting(
                        group = "Deployment",
                        label = "URL",
                        derived = "an embedded cluster",
                        help = "REST address of a Flink cluster to submit to.")
                String target,
        @Setting(
                        label = "N",
                        derived = "processors, or the cluster's free slots",
                        range = "[1, 128]",
                        help = "Parallelism of each operator.")
                Integer parallelism,
        @Setting(
                        label = "N",
                        derived = "processors divided by --parallelism, or 1 on a cluster",
                        range = "[1, 128]",
                        help = "Gradients that each subtask computes at the same time.")
                Integer computeThreads,
        @Setting(
                        label = "URI",
                        derived = "control.json in --output",
                        help = "File in which levee allocate sets the batch of an elastic run.")
                String control,
        @Setting(
                        label = "RANGE",
                        fallback = "8081-8181",
                        help = "Ports to try for the web UI of the embedded cluster.")
                String webPort,
        @Setting(
                        label = "PORT",
                        derived = "off",
                        range = "[1, 65535]",
                        help = "Serve the embedded cluster's Prometheus metrics on this port.")
                Integer prometheusPort,
        @Setting(
                        label = "ADDRESS",
                        derived = "127.0.0.1",
                        help = "Address on which --prometheus-port listens; 0.0.0.0 for all.")
                String prometheusAddress,
        @Setting(
                        group = "Recovery",
                        label = "TIME",
                        fallback = "10s",
                        help = "Time between checkpoints.")
                Duration checkpointInterval,
        @Setting(
                        label = "DIR",
                        derived = "checkpoints in --output",
                        help = "Directory for checkpoints, on any file system.")
                String checkpointDir,
        @Setting(
                        label = "PATH",
                        help =
                                "Continue from a savepoint, a checkpoint, or the newest checkpoint"
                                        + " in a directory. In a run's directory, options that are"
                                        + " not given are the run's, unless --config is given.")
                String resume,
        @Setting(
                        group = "Results",
                        label = "DIR",
                        derived = "levee-runs/<time>-<rule>",
                        help =
                                "Directory for summary.json, metrics.csv, report.html and the"
                                        + " model; further rules get subdirectories.")
                String output,
        @Setting(
                        label = "KEY",
                        derived = "no log",
                        help =
                                "Write audit.jsonl, a signed log of all rounds for levee"
                                        + " audit. KEY is new, which makes a key for this run, or a"
                                        + " directory with job.key and job.pub (levee keys generate"
                                        + " job).")
                String audit,
        @Setting(label = "DIR", help = "Write the curves for TensorBoard to this local directory.")
                String tensorboard,
        @Setting(label = "URL", help = "Log options, curves and scores to this MLflow server.")
                String mlflow,
        @Setting(
                        label = "NAME",
                        derived = "levee",
                        help = "MLflow experiment, created if it does not exist.")
                String mlflowExperiment) {

    /** The shortest interval that Flink accepts. */
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);

    /** All settings of this record. */
    public static final SettingsTable<Deployment> SETTINGS = SettingsTable.of(Deployment.class);

    /** The settings of a server, which computes no gradients. */
    public static final SettingsTable<Deployment> SERVED =
            SETTINGS.fixing("compute-threads", "1")
                    .without("control", "audit")
                    .offering(
                            "output",
                            "",
                            "Directory for summary.json, metrics.csv, report.html and the model.");

    /** The settings of an estimate, whose tasks are fits in one thread. */
    public static final SettingsTable<Deployment> ESTIMATE =
            SETTINGS.fixing("compute-threads", "1")
                    .without("control", "audit")
                    .offering(
                            "checkpoint-interval",
                            "1s",
                            "Time between checkpoints; a resumed run repeats at most the "
                                    + "fits of one interval.")
                    .offering(
                            "output",
                            "",
                            "Directory for summary.json, estimates.csv and " + "report.html.")
                    .deriving("output", "levee-runs/<time>-<model>")
                    .without("tensorboard", "mlflow", "mlflow-experiment");

    /** The settings of a study, whose cells are trainings in one thread. */
    public static final SettingsTable<Deployment> STUDY =
            SETTINGS.without("compute-threads", "control", "audit")
                    .fixing("checkpoint-interval", "10s")
                    .without("checkpoint-dir", "resume")
                    .offering(
                            "output",
                            "",
                            "Directory for report.html, cells.csv, table.tex and the cells."
                                    + " Existing cells are not run again.")
                    .deriving("output", "levee-runs/<time>-study")
                    .without("tensorboard", "mlflow", "mlflow-experiment");

    /** The settings of a storage tier, which has no state and no results. */
    public static final SettingsTable<Deployment> STORAGE =
            SETTINGS.without("parallelism", "compute-threads", "control", "audit")
                    .fixing("checkpoint-interval", "10s")
                    .without(
                            "checkpoint-dir",
                            "resume",
                            "output",
                            "tensorboard",
                            "mlflow",
                            "mlflow-experiment");

    /** The settings of a federated run. */
    public static final SettingsTable<Deployment> FEDERATED =
            SETTINGS.without("control")
                    .offering(
                            "output",
                            "",
                            "Directory for summary.json, metrics.csv, report.html and the model;"
                                    + " further samplings get subdirectories.");

    /**
     * Checks combinations of settings.
     *
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public void check() {
        if (checkpointInterval.compareTo(SHORTEST_INTERVAL) < 0) {
            throw new IllegalArgumentException(
                    "--checkpoint-interval must be at least %s, got %s"
                            .formatted(
                                    Values.text(SHORTEST_INTERVAL),
                                    Values.text(checkpointInterval)));
        }
        if (!embedded() && prometheusPort != null) {
            throw new IllegalArgumentException(
                    "--prometheus-port is for the embedded cluster; the cluster at --target "
                            + target
                            + " has its own metric reporters");
        }
        if (prometheusAddress != null && prometheusPort == null) {
            throw new IllegalArgumentException("--prometheus-address needs --prometheus-port");
        }
        if (mlflowExperiment != null && mlflow == null) {
            throw new IllegalArgumentException("--mlflow-experiment needs --mlflow");
        }
        if (!embedded()) {
            checkTarget(target);
        }
        if (mlflow != null && !mlflow.matches("https?://[^/?#]+(/[^?#]*)?")) {
            throw new IllegalArgumentException(
                    "--mlflow must be an address such as http://127.0.0.1:5000, got " + mlflow);
        }
        if (tensorboard != null && tensorboard.matches("[a-zA-Z][a-zA-Z0-9+.-]+:.*")) {
            throw new IllegalArgumentException(
                    "--tensorboard must be a directory of this machine, got " + tensorboard);
        }
        if (!webPort.matches("\\d{1,5}(-\\d{1,5})?")) {
            throw new IllegalArgumentException(
                    "--web-port must be a port or a range such as 8081-8181, got " + webPort);
        }
    }

    /**
     * Checks that the command may detach from its jobs.
     *
     * @throws IllegalArgumentException if the cluster would end with this process; one sentence
     */
    public void checkDetached() {
        if (embedded()) {
            throw new IllegalArgumentException(
                    "--detach needs a cluster that outlives this command: pass --target, such as"
                            + " the address that levee cluster start prints");
        }
    }

    /**
     * Checks that a text has the form of a cluster's address.
     *
     * @throws IllegalArgumentException if it has not; one sentence
     */
    public static void checkTarget(String target) {
        if (!target.matches("https?://[^/:]+:\\d+/?")) {
            throw new IllegalArgumentException(
                    "--target must be an address such as http://127.0.0.1:8081, got " + target);
        }
    }

    /** The parallelism; {@code otherwise} if it is not set. */
    public int parallelism(int otherwise) {
        return parallelism != null ? parallelism : otherwise;
    }

    /** The threads of a subtask; {@code otherwise} if they are not set. */
    public int computeThreads(int otherwise) {
        return computeThreads != null ? computeThreads : otherwise;
    }

    /** Fills in parallelism and threads for this many processors or slots, unless they are set. */
    public Deployment on(int processors) {
        int subtasks = parallelism(Math.max(1, processors));
        int threads = computeThreads(Math.max(1, processors / subtasks));
        return new Deployment(
                target,
                subtasks,
                threads,
                control,
                webPort,
                prometheusPort,
                prometheusAddress,
                checkpointInterval,
                checkpointDir,
                resume,
                output,
                audit,
                tensorboard,
                mlflow,
                mlflowExperiment);
    }

    /** Fills in parallelism and threads if the run has its own cluster; otherwise returns this. */
    public Deployment within(int processors) {
        return embedded() ? on(processors) : this;
    }

    /**
     * Checks that others can change the slots of an elastic job.
     *
     * @throws IllegalArgumentException if the job would have a cluster of its own; one sentence
     */
    public void checkElastic() {
        if (embedded()) {
            throw new IllegalArgumentException(
                    "--elastic needs a cluster that jobs share: pass --target, such as the address"
                            + " that levee cluster start prints");
        }
    }

    /** True if the run starts its own cluster in this process. */
    public boolean embedded() {
        return target == null;
    }
}
