package dev.levee.jobs.internal.config;

import dev.levee.jobs.internal.config.setting.SettingsTable;

/** Subsets of a run's settings, for processes that do only a part of the run. */
public final class RunSettings {
    /** Help texts of settings that several commands have. */
    public static final String DATASET_HELP =
            "${bundle:formats}, on any file system that Flink supports; levee datasets FORMAT prints"
                    + " the options of a format.";

    public static final String PYTHON_HELP =
            "Python interpreter for --model python:PATH, such as venv/bin/python, on every machine"
                    + " of the job.";
    public static final String DEVICE_HELP =
            "Where --model python:PATH computes: cpu, cuda (interpreters take the GPUs of their"
                    + " machine in turn) or cuda:N.";

    private RunSettings() {}

    /** Settings of pipelines, which run inside jobs only. */
    private static final String[] PIPELINE = {
        "pipeline", "micro-batches", "pipeline-schedule", "recompute", "stage-memory"
    };

    /** The settings of a run with one server. */
    private static final SettingsTable<RunConfig> ONE_SERVER =
            RunConfig.SETTINGS.without(
                    "topology",
                    "servers",
                    "nodes",
                    "byzantine-servers",
                    "server-aggregator",
                    "server-quorum",
                    "server-attack",
                    "server-attackers",
                    "worker-models",
                    "contract-every",
                    "contract",
                    "graph",
                    "peers",
                    "kill-server",
                    "failover-timeout");

    /** The settings of a server whose workers bring their own data and attacks. */
    public static final SettingsTable<RunConfig> SERVED =
            RunConfig.SETTINGS
                    .without(
                            "nodes",
                            "server-quorum",
                            "contract",
                            "graph",
                            "peers",
                            "kill-server",
                            "failover-timeout")
                    .offering(
                            "topology",
                            "",
                            "replicated: each worker reads several servers, some of which may be"
                                    + " Byzantine.")
                    .offering("servers", "", "Servers, each with its own key: s0.key, s1.key, …")
                    .without(
                            "micro-batch",
                            "coding",
                            "combine",
                            "staleness-bound",
                            "transfers",
                            "replica",
                            "local-steps",
                            "partition-seed",
                            "partition-among")
                    .without(PIPELINE)
                    .fixing("partition", "iid")
                    .fixing("attack", "none")
                    .fixing("attackers", "0")
                    .without("elastic", "worker-memory")
                    .offering(
                            "dataset",
                            "strokes:",
                            "Data set whose test set evaluates the model: ${bundle:formats}, on any"
                                    + " file system that Flink supports.")
                    .reopening("initial")
                    .offering(
                            "aggregator",
                            "multi-krum",
                            "Aggregation rule or pipeline such as \"clip(2) | nnm |"
                                    + " trimmed-mean\".")
                    .offering(
                            "momentum-side",
                            "worker",
                            "Where the momentum is kept: worker, by the workers' own --momentum, or"
                                    + " server.");

    /** The settings of an external worker. It learns all others from the models it receives. */
    public static final SettingsTable<RunConfig> WORKING =
            ONE_SERVER
                    .fixing("workers", "1")
                    .fixing("byzantine", "0")
                    .fixing("attackers", "1")
                    .fixing("aggregator", "average")
                    .without("coding", "combine", "oracle-batch", "rho", "quorum")
                    .without("staleness-bound", "transfers", "replica")
                    .offering("dataset", "strokes:", DATASET_HELP)
                    .offering(
                            "partition",
                            "iid",
                            "How samples are distributed to workers: iid, dirichlet(α), by-class,"
                                    + " gamma(γ) or natural.")
                    // A worker waits for no others; the server closes rounds.
                    .fixing("round-timeout", "1s")
                    .fixing("non-finite", "reject")
                    .fixing("rounds", "1")
                    .fixing("eval-interval", "1")
                    .fixing("batch-size", "1")
                    .without("micro-batch")
                    .without(PIPELINE)
                    .fixing("learning-rate", "1")
                    .fixing("schedule", "constant")
                    .fixing("optimizer", "sgd")
                    .fixing("momentum-side", "worker")
                    .without("weight-decay", "partition-seed", "partition-among")
                    .without("elastic", "reputation", "worker-memory")
                    .offering(
                            "attack",
                            "none",
                            "What to send instead of gradients, for experiments: none, reversed,"
                                    + " random, dropped, nan, inf, silent or label-flip, with"
                                    + " parameters in parentheses.")
                    .offering(
                            "momentum",
                            "0.9",
                            "Momentum factor; 0 for none, as with --momentum-side server of the"
                                    + " job.");

    /** The settings of an external device. It learns all others from the models it receives. */
    public static final SettingsTable<RunConfig> DEVICE =
            WORKING.fixing("partition", "iid")
                    .fixing("momentum", "0")
                    .without("local-steps")
                    .fixing("seed", "1")
                    .offering(
                            "dataset",
                            "strokes:",
                            "Data set whose samples the devices hold, distributed as the job says:"
                                    + " ${bundle:formats}, on any file system that Flink supports.")
                    .offering(
                            "model",
                            "mnist-cnn",
                            "The job's model: mnist-cnn, lenet, cifarnet, resnet18, resnet50,"
                                    + " logistic, lsgan, upsample-dcgan, file:PATH (a TorchScript"
                                    + " file), or files:generator=PATH,discriminator=PATH.")
                    .offering(
                            "attack",
                            "none",
                            "What to send instead, for experiments: none, reversed, random,"
                                    + " dropped, nan, inf, silent or label-flip, with parameters in"
                                    + " parentheses.");
}
