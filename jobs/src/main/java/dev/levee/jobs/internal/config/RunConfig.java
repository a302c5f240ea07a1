package dev.levee.jobs.internal.config;

import dev.levee.gar.Rules;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.learners.Loss;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.training.Admission.NonFinite;
import dev.levee.operators.rounds.training.CountOrShare;
import dev.levee.operators.rounds.training.Oracle;

import java.time.Duration;
import java.util.List;

/**
 * The settings that determine the model of a training. One class because each setting is declared
 * once, with its range and its help text.
 */
public record RunConfig(
        @Setting(
                        group = "Data and model",
                        label = "URI",
                        derived = "strokes:, or the data(id, of) of --model python:",
                        help = RunSettings.DATASET_HELP)
                String dataset,
        @Setting(
                        label = "NAME",
                        derived = "iid, or natural for --dataset python:",
                        help =
                                "How samples are distributed to workers: iid, dirichlet(α), "
                                        + "by-class, gamma(γ) or natural.")
                String partition,
        @Setting(
                        label = "N",
                        derived = "--seed",
                        range = "[0, 9007199254740991]",
                        help = "Seed of the partition, if it differs from --seed.")
                Long partitionSeed,
        @Setting(
                        label = "WORKERS",
                        derived = "all",
                        help =
                                "Workers with samples of their own: all, or honest, where"
                                        + " attackers hold copies of honest workers' samples.")
                PartitionAmong partitionAmong,
        @Setting(
                        label = "NAME",
                        fallback = "mnist-cnn",
                        help =
                                "mnist-cnn, lenet, cifarnet, alexnet, resnet18, resnet50, "
                                        + "vgg11, vgg19, densenet121, logistic, layers:LIST "
                                        + "(layers of your own), file:PATH (a TorchScript file) "
                                        + "or python:PATH (a Python file).")
                String model,
        @Setting(label = "COMMAND", derived = "python3", help = RunSettings.PYTHON_HELP)
                String python,
        @Setting(label = "DEVICE", derived = "cpu", help = RunSettings.DEVICE_HELP) String device,
        @Setting(
                        label = "N",
                        derived = "1",
                        range = "[1, 1000000]",
                        help =
                                "Batches that a worker's own train() in --model python:PATH "
                                        + "gets per round.")
                Integer localSteps,
        @Setting(
                        label = "NAME",
                        derived = "cross-entropy",
                        help =
                                "cross-entropy for classes; bce for two classes or targets of 0"
                                        + " and 1; mse, mae, huber or huber(DELTA) for targets; or"
                                        + " module, the method loss(outputs, targets) of a"
                                        + " TorchScript file.")
                String loss,
        @Setting(
                        label = "FILE",
                        help =
                                "Initial weights (numpy.savez or safetensors) of a model that only"
                                        + " the workers know; replaces --model and --dataset.")
                String initial,
        @Setting(
                        group = "Workers and attacks",
                        label = "N",
                        fallback = "11",
                        range = "[1, 1000000]",
                        help = "Number of workers, n.")
                int workers,
        @Setting(
                        label = "F",
                        derived = "3",
                        range = "[0, 10000]",
                        help =
                                "Byzantine workers that the rule must tolerate, f, or a share of"
                                        + " the workers in a round, such as 20%%, rounded down.")
                CountOrShare byzantine,
        @Setting(
                        label = "N",
                        derived = "--byzantine",
                        range = "[0, 1000000]",
                        help = "Workers that attack: those with the highest ids.")
                Integer attackers,
        @Setting(
                        label = "ATTACK",
                        derived = "random",
                        help =
                                "What attackers send: ${bundle:attacks}, with parameters in"
                                        + " parentheses (levee rules explain).")
                String attack,
        @Setting(
                        label = "RULE",
                        derived = "multi-krum and average",
                        help =
                                "Aggregation rule: ${bundle:rules}. Pre-aggregations may precede"
                                        + " it: ${bundle:pre-aggregations}, as in \"clip(2) | nnm"
                                        + " | trimmed-mean\". Repeat the option to train with"
                                        + " several rules side by side.")
                List<String> aggregator,
        @Setting(
                        label = "CODE",
                        derived = "none",
                        help =
                                "Gradient code: each worker computes s + 1 shares of the"
                                        + " data, and any n − s answers give the mean gradient."
                                        + " fractional(s) is exact to the bit, also with f Byzantine"
                                        + " workers if s ≥ 2f; cyclic(s) is exact up to rounding;"
                                        + " approximate(s) also works with fewer answers.")
                String coding,
        @Setting(
                        label = "CHOICE",
                        derived = "none",
                        help =
                                "host: each TaskManager sends the sum of its workers'"
                                        + " gradients. tree(k): TaskManagers also add up the sums of"
                                        + " others, so that at most k send to the server, if that is"
                                        + " expected to be faster. For rules that average.")
                String combine,
        @Setting(
                        label = "N",
                        derived = "100 for zeno",
                        range = "[1, 1000000]",
                        help =
                                "Batch of held-out samples (a tenth of the training set) on which"
                                        + " zeno scores gradients.")
                Integer oracleBatch,
        @Setting(
                        label = "X",
                        derived = "0.0005 for zeno",
                        range = "[0, inf)",
                        help = "Weight of the gradient's squared norm in the score of zeno.")
                Double rho,
        @Setting(
                        group = "Servers",
                        label = "NAME",
                        derived = "one server",
                        help =
                                "replicated: several servers, some of which may be Byzantine;"
                                        + " decentralised: each node is worker and server;"
                                        + " crash-tolerant: workers follow the first server that"
                                        + " has not crashed.")
                TopologyKind topology,
        @Setting(
                        label = "N",
                        derived = "1",
                        range = "[1, 1000]",
                        help = "Servers of a replicated or crash-tolerant run.")
                Integer servers,
        @Setting(
                        label = "N",
                        derived = "--workers",
                        range = "[1, 10000]",
                        help = "Nodes of a decentralized run; replaces --workers.")
                Integer nodes,
        @Setting(
                        label = "F",
                        derived = "0; --byzantine of a decentralized run",
                        range = "[0, 1000]",
                        help =
                                "Byzantine servers or nodes that the rule for models must"
                                        + " tolerate.")
                Integer byzantineServers,
        @Setting(
                        label = "RULE",
                        derived = "median",
                        help =
                                "Rule that combines models, at servers and at workers that "
                                        + "read several.")
                String serverAggregator,
        @Setting(
                        label = "Q",
                        derived = "--servers; --nodes of a decentralized run",
                        range = "[1, 10000]",
                        help =
                                "Models that close an exchange, counting the server's own,"
                                        + " and that a worker combines. Fewer than all make exchanges"
                                        + " asynchronous.")
                Integer serverQuorum,
        @Setting(
                        label = "NAME",
                        derived = "none",
                        help = "What Byzantine servers send: an attack, as for workers.")
                String serverAttack,
        @Setting(
                        label = "N",
                        derived = "--byzantine-servers; --attackers on a graph",
                        range = "[0, 1000]",
                        help =
                                "Servers that attack: those with the highest ids; of"
                                        + " crash-tolerant servers the lowest, which workers read.")
                Integer serverAttackers,
        @Setting(
                        label = "CHOICE",
                        derived = "aggregate",
                        help =
                                "aggregate: workers combine the models of several servers and"
                                        + " answer all with one gradient; per-server: with a"
                                        + " gradient for each.")
                ModelReading workerModels,
        @Setting(
                        label = "T",
                        derived = "1",
                        range = "[1, 1000000000]",
                        help = "Rounds between exchanges of models.")
                Integer contractEvery,
        @Setting(
                        label = "STEPS",
                        derived = "0",
                        help =
                                "Exchanges of aggregates before each step, for nodes whose"
                                        + " data differ: a number, or log for ⌈log₂(t + 1)⌉ in round t.")
                String contract,
        @Setting(
                        label = "GRAPH",
                        derived = "all nodes, which also receive all gradients",
                        help =
                                "Each node steps along its own gradient only and combines its"
                                        + " neighbors' models by --aggregator: complete, ring,"
                                        + " torus, star, random-regular(k), erdos-renyi(p), or"
                                        + " pull(s) for s nodes drawn each time.")
                String graph,
        @Setting(
                        label = "PEERS",
                        derived = "all",
                        help =
                                "Neighbors that a node reads: all, or pull(s) for s drawn each"
                                        + " time. Without --graph, all nodes are neighbors.")
                String peers,
        @Setting(
                        label = "SERVER@round:N",
                        derived = "none",
                        help =
                                "Servers of a crash-tolerant run to crash, such as 0@round:200,"
                                        + " separated by commas.")
                String killServer,
        @Setting(
                        label = "TIME",
                        derived = "2s",
                        help =
                                "How long workers wait for their server once others offer a newer"
                                        + " model.")
                Duration failoverTimeout,
        @Setting(
                        group = "Rounds",
                        label = "Q",
                        derived = "--workers",
                        range = "[1, 10000]",
                        help =
                                "Gradients that close a round, or a share of the workers, such as"
                                        + " 80%%, rounded up, or all but some, such as n-2. Fewer"
                                        + " than --workers make rounds asynchronous.")
                CountOrShare quorum,
        @Setting(
                        label = "S",
                        derived = "0",
                        range = "[1, 10000]",
                        help =
                                "Accept gradients on models up to S versions old, so that"
                                        + " workers do not wait for each other.")
                Integer stalenessBound,
        @Setting(
                        label = "CHOICE",
                        derived = "gradients are sent when they are ready",
                        help =
                                "ordered: with --staleness-bound, a worker announces a gradient"
                                        + " and sends it when asked, unless it would arrive too"
                                        + " old.")
                Transferring transfers,
        @Setting(
                        label = "D",
                        derived = "none",
                        range = "[0, inf)",
                        help =
                                "Keep a copy of the server's model, at most D away (Euclidean"
                                        + " distance), in another TaskManager, which continues if the"
                                        + " server is lost. With 0, it receives every update.")
                Double replica,
        @Setting(
                        label = "TIME",
                        derived = "unlimited",
                        help =
                                "How long a round waits for missing gradients; a worker that"
                                        + " misses it counts as faulty in that round.")
                Duration roundTimeout,
        @Setting(
                        label = "CHOICE",
                        fallback = "reject",
                        help =
                                "reject: gradients with NaN or infinity are proven faults; keep:"
                                        + " the rule gets them.")
                NonFinite nonFinite,
        @Setting(
                        label = "K:ROUNDS",
                        derived = "no worker is excluded",
                        help =
                                "Exclude a worker for ROUNDS rounds after K proven faults, and"
                                        + " again after each later one, such as 3:100.")
                String reputation,
        @Setting(
                        label = "N",
                        fallback = "500",
                        range = "[1, 1000000000]",
                        help = "Number of rounds.")
                long rounds,
        @Setting(
                        label = "N",
                        fallback = "50",
                        range = "[1, 1000000000]",
                        help = "Rounds between evaluations on the test set.")
                int evalInterval,
        @Setting(
                        group = "Learning",
                        label = "N",
                        fallback = "100",
                        range = "[1, 1000000]",
                        help = "Samples per worker and round.")
                int batchSize,
        @Setting(
                        label = "N",
                        derived = "--batch-size",
                        range = "[1, 1000000]",
                        help =
                                "Samples per pass; a larger batch takes several passes, with the"
                                        + " memory of one.")
                Integer microBatch,
        @Setting(
                        group = "Pipeline",
                        label = "STAGES",
                        derived = "each worker has the whole model",
                        help =
                                "Cut each worker's model into stages of layers in different slots:"
                                        + " a number of stages, balanced by measured times, or a"
                                        + " plan of levee place --json.")
                String pipeline,
        @Setting(
                        label = "N",
                        derived = "the number of stages, or the plan's",
                        range = "[1, 1000000]",
                        help =
                                "Micro-batches per batch. Stages work at the same time only if"
                                        + " there are several.")
                Integer microBatches,
        @Setting(
                        label = "NAME",
                        derived = "1f1b, or the plan's",
                        help =
                                "Order of micro-batches: gpipe, all forward passes first, or 1f1b,"
                                        + " alternating, which holds the activations of fewer.")
                String pipelineSchedule,
        @Setting(
                        label = "",
                        help =
                                "Keep only the inputs of a stage between the two passes of a"
                                        + " micro-batch, and recompute the rest.")
                Boolean recompute,
        @Setting(
                        label = "SIZE",
                        derived = "no limit, or the plan's devices",
                        help =
                                "Memory that the tensors of a stage may take, such as 300m; more"
                                        + " is refused.")
                String stageMemory,
        @Setting(
                        group = "Learning",
                        label = "X",
                        fallback = "0.2",
                        range = "(0, inf)",
                        help = "Step size before the schedule.")
                double learningRate,
        @Setting(
                        label = "NAME",
                        fallback = "constant",
                        help =
                                "constant, step(every=1000, factor=0.1), exponential(decay=0.999),"
                                        + " inverse(decay=0.01), cosine, or warmup(rounds=100) | any of"
                                        + " these.")
                String schedule,
        @Setting(
                        label = "OPTIMIZER",
                        fallback = "sgd",
                        help = "sgd, adam, adamw, rmsprop or adagrad.")
                OptimizerKind optimizer,
        @Setting(
                        label = "X",
                        fallback = MOMENTUM,
                        range = "[0, 1)",
                        help = "Momentum factor; 0 for none.")
                double momentum,
        @Setting(
                        label = "SIDE",
                        derived = "worker",
                        help = "Where the momentum is kept: worker or server.")
                MomentumSide momentumSide,
        @Setting(
                        label = "X",
                        derived = "none, 0.01 with adamw",
                        range = "[0, inf)",
                        help =
                                "Weight decay λ: servers add λ·x to each aggregate; adamw applies"
                                        + " it separately from its step.")
                Double weightDecay,
        @Setting(
                        label = "N",
                        fallback = "1",
                        range = "[0, 9007199254740991]",
                        help = "Seed of all random choices.")
                long seed,
        @Setting(
                        group = "Elasticity",
                        label = "BOUNDS",
                        derived = "off",
                        help =
                                "Let levee allocate change the batch and the number of"
                                        + " workers: min=1,max=8,max-batch=512 (samples per round)."
                                        + " scaling=adascale, linear or sqrt sets how much a larger"
                                        + " batch is worth and how the learning rate follows.")
                String elastic,
        @Setting(
                        label = "SIZE",
                        derived = "no limit",
                        help =
                                "Memory that one gradient of an elastic run may take, such as"
                                        + " 512m; a larger batch is halved.")
                String workerMemory) {

    /** The settings of a run that trains in its own job. */
    public static final SettingsTable<RunConfig> SETTINGS =
            SettingsTable.of(RunConfig.class).without("initial");

    private static final String MOMENTUM = "0.9";

    private static final Integer BATCH = Oracle.BATCH_SIZE;

    private static final int BYZANTINE = 3;

    /** The rule with which a gradient code decodes. */
    static final String AVERAGE = "average";

    private static final List<String> COMPARED = List.of("multi-krum", AVERAGE);

    /** Returns true if any rule needs scores. Invalid rules are reported by {@link Resolver}. */
    private static boolean scored(List<String> rules) {
        try {
            return rules.stream().anyMatch(text -> Rules.parse(text).needsScores());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The number of answers that close a round with a gradient code. */
    private static CountOrShare coded(String coding, int workers, int f, boolean elastic) {
        int quorum = Resolver.coding(coding).quorum(workers, f);
        return elastic && quorum < workers
                ? new CountOrShare.AllBut(workers - quorum)
                : CountOrShare.of(quorum);
    }

    /**
     * Fills in defaults that depend on other settings.
     *
     * @throws IllegalArgumentException if there is an attack without attackers; one sentence
     */
    public RunConfig {
        workers = nodes != null ? nodes : workers;
        dataset = dataset != null ? dataset : PythonAddresses.usualData(model);
        partition = partition != null ? partition : PythonAddresses.usualPartition(dataset);
        combine = Combining.NONE.equals(combine) ? null : combine;
        boolean coded = coding != null;
        boolean averages = coded || combine != null || stalenessBound != null;
        byzantine = byzantine != null ? byzantine : CountOrShare.of(averages ? 0 : BYZANTINE);
        aggregator = !aggregator.isEmpty() ? aggregator : averages ? List.of(AVERAGE) : COMPARED;
        momentumSide =
                momentumSide != null
                        ? momentumSide
                        : coded ? MomentumSide.SERVER : MomentumSide.WORKER;
        elastic = elastic == null || elastic.isBlank() ? null : elastic;
        int fewest = elastic == null ? workers : ElasticBounds.parse(elastic).min();
        Integer tolerated = byzantine.mostOf(fewest);
        boolean attacks = attack != null && !attack.equals("none");
        if (attacks && attackers == null && tolerated == 0) {
            throw new IllegalArgumentException(
                    "--attack %s needs --attackers or --byzantine of at least 1".formatted(attack));
        }
        attackers = attackers != null ? attackers : tolerated;
        attack = attack != null ? attack : "random";
        oracleBatch = oracleBatch == null && scored(aggregator) ? BATCH : oracleBatch;
        // The default loss is stored as null, so that ids of older runs stay the same.
        loss = loss == null || loss.strip().equals(Loss.DEFAULT.name()) ? null : loss.strip();
        quorum =
                quorum != null
                        ? quorum
                        : coded
                                ? coded(coding, workers, byzantine.mostOf(workers), elastic != null)
                                : CountOrShare.of(stalenessBound != null ? 1 : workers);
        workerMemory = workerMemory == null || workerMemory.isBlank() ? null : workerMemory;
    }

    /** True if {@code --pipeline} is a number of stages, not a plan. */
    public boolean measuresStages() {
        return pipeline != null && pipeline.matches("\\d{1,6}");
    }

    /** True if the momentum is the default, which a file of all settings names as well. */
    public boolean usualMomentum() {
        return momentum == Double.parseDouble(MOMENTUM);
    }
}
