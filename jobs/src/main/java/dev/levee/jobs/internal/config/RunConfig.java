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
 * What is trained: everything that the resulting model depends on. One class because each setting
 * is declared once, with its range and its help text.
 */
public record RunConfig(
        @Setting(
                        group = "Data and model",
                        label = "URI",
                        derived = "strokes:, or the data(id, of) of --model python:",
                        help =
                                "${bundle:formats}, on any file system that Flink supports; "
                                        + "levee datasets FORMAT prints the options of a format.")
                String dataset,
        @Setting(
                        group = "Data and model",
                        label = "NAME",
                        derived = "iid, or natural for --dataset python:",
                        help =
                                "How samples are distributed to workers: iid, dirichlet(α), "
                                        + "by-class, gamma(γ) or natural.")
                String partition,
        @Setting(
                        group = "Data and model",
                        label = "NAME",
                        fallback = "mnist-cnn",
                        help =
                                "mnist-cnn, lenet, cifarnet, alexnet, resnet18, resnet50, "
                                        + "vgg11, vgg19, densenet121, logistic, file:PATH (a "
                                        + "TorchScript file) or python:PATH (a Python file).")
                String model,
        @Setting(
                        group = "Data and model",
                        label = "COMMAND",
                        derived = "python3",
                        help =
                                "Python interpreter with PyTorch for --model python:PATH, such as"
                                        + " venv/bin/python. Every machine of the job must have it"
                                        + " under this name.")
                String python,
        @Setting(
                        group = "Data and model",
                        label = "DEVICE",
                        derived = "cpu",
                        help =
                                "Where --model python:PATH computes: cpu, cuda (interpreters "
                                        + "take the GPUs of their machine in turn) or cuda:N.")
                String device,
        @Setting(
                        group = "Data and model",
                        label = "N",
                        derived = "1",
                        range = "[1, 1000000]",
                        help =
                                "Batches that a worker's own train() in --model python:PATH "
                                        + "gets per round.")
                Integer localSteps,
        @Setting(
                        group = "Data and model",
                        label = "NAME",
                        derived = "cross-entropy",
                        help =
                                "Loss: cross-entropy, for classes; bce, for two classes or targets"
                                        + " of 0 and 1; mse, mae, huber or huber(DELTA), for the"
                                        + " targets that --dataset names with ?targets=; or module, the"
                                        + " method loss(outputs, targets) of a TorchScript file.")
                String loss,
        @Setting(
                        group = "Data and model",
                        label = "FILE",
                        help =
                                "Initial weights, from numpy.savez or in safetensors format, of a"
                                        + " model that only the workers know. Replaces --model and"
                                        + " --dataset; --evaluator can evaluate the model.")
                String initial,
        @Setting(
                        group = "Workers and attacks",
                        label = "N",
                        fallback = "11",
                        range = "[1, 10000]",
                        help = "Number of workers, n.")
                int workers,
        @Setting(
                        group = "Workers and attacks",
                        label = "F",
                        derived = "3",
                        range = "[0, 10000]",
                        help =
                                "Number of Byzantine workers that the rule must tolerate, f; or a"
                                        + " share of the workers in a round, such as 20%%, rounded "
                                        + "down.")
                CountOrShare byzantine,
        @Setting(
                        group = "Workers and attacks",
                        label = "N",
                        derived = "--byzantine",
                        range = "[0, 10000]",
                        help =
                                "Number of workers that really attack: those with the highest "
                                        + "ids.")
                Integer attackers,
        @Setting(
                        group = "Workers and attacks",
                        label = "ATTACK",
                        fallback = "random",
                        help =
                                "What attackers send: ${bundle:attacks}. levee rules explain "
                                        + "lists the parameters, which follow in parentheses.")
                String attack,
        @Setting(
                        group = "Workers and attacks",
                        label = "RULE",
                        derived = "multi-krum and average",
                        help =
                                "Aggregation rule: ${bundle:rules}. Pre-aggregations may precede"
                                        + " it: ${bundle:pre-aggregations}, as in \"clip(2) | nnm |"
                                        + " trimmed-mean\". See levee rules explain. Repeat the option"
                                        + " to train with several rules side by side.")
                List<String> aggregator,
        @Setting(
                        group = "Workers and attacks",
                        label = "CODE",
                        derived = "none",
                        help =
                                "Let each worker compute s + 1 shares of the data and send one"
                                        + " combination, so that any n − s answers give the mean"
                                        + " gradient of all shares: fractional(s), to the bit and"
                                        + " with f liars if s ≥ 2f; cyclic(s), up to rounding; or"
                                        + " approximate(s), which goes on with fewer answers. The"
                                        + " defaults are then --aggregator average, --byzantine 0,"
                                        + " --momentum-side server and --quorum n − s + 2f.")
                String coding,
        @Setting(
                        group = "Workers and attacks",
                        label = "CHOICE",
                        derived = "none",
                        help =
                                "host: the workers of a TaskManager add their gradients up, so"
                                        + " that one record a block leaves it instead of one a"
                                        + " worker. For rules that average; the defaults are then"
                                        + " --aggregator average and --byzantine 0.")
                Combining combine,
        @Setting(
                        group = "Workers and attacks",
                        label = "N",
                        derived = "100 for zeno",
                        range = "[1, 1000000]",
                        help =
                                "Batch of held-out samples (a tenth of the training set that "
                                        + "no worker gets) on which a rule such as zeno scores the "
                                        + "gradients of a round.")
                Integer oracleBatch,
        @Setting(
                        group = "Workers and attacks",
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
                                "replicated: each worker answers several servers, some of which may"
                                        + " be Byzantine; decentralised: each node is worker and"
                                        + " server; crash-tolerant: each worker answers several servers"
                                        + " and follows the first that has not crashed.")
                TopologyKind topology,
        @Setting(
                        group = "Servers",
                        label = "N",
                        derived = "1",
                        range = "[1, 1000]",
                        help =
                                "Number of parameter servers of a replicated or "
                                        + "crash-tolerant run.")
                Integer servers,
        @Setting(
                        group = "Servers",
                        label = "N",
                        derived = "--workers",
                        range = "[1, 10000]",
                        help = "Number of nodes of a decentralized run; replaces --workers.")
                Integer nodes,
        @Setting(
                        group = "Servers",
                        label = "F",
                        derived = "0; --byzantine of a decentralized run",
                        range = "[0, 1000]",
                        help =
                                "Number of Byzantine servers or nodes that the rule for "
                                        + "models must tolerate.")
                Integer byzantineServers,
        @Setting(
                        group = "Servers",
                        label = "RULE",
                        derived = "median",
                        help =
                                "Rule that combines models, at servers and at workers that "
                                        + "read several.")
                String serverAggregator,
        @Setting(
                        group = "Servers",
                        label = "Q",
                        derived = "--servers; --nodes of a decentralized run",
                        range = "[1, 10000]",
                        help =
                                "Number of models that closes an exchange, including the server's"
                                        + " or node's own, and that a worker combines. Fewer than exist"
                                        + " makes exchanges asynchronous.")
                Integer serverQuorum,
        @Setting(
                        group = "Servers",
                        label = "NAME",
                        derived = "none",
                        help =
                                "What Byzantine servers send instead of their models: an "
                                        + "attack, as for workers.")
                String serverAttack,
        @Setting(
                        group = "Servers",
                        label = "N",
                        derived = "--byzantine-servers; --attackers on a graph",
                        range = "[0, 1000]",
                        help =
                                "Number of servers that really attack: those with the "
                                        + "highest ids; of crash-tolerant servers those with the "
                                        + "lowest, which workers read.")
                Integer serverAttackers,
        @Setting(
                        group = "Servers",
                        label = "CHOICE",
                        derived = "aggregate",
                        help =
                                "What workers do with several servers: aggregate combines their"
                                        + " models and answers all with one gradient; per-server"
                                        + " computes a gradient for each.")
                ModelReading workerModels,
        @Setting(
                        group = "Servers",
                        label = "T",
                        derived = "1",
                        range = "[1, 1000000000]",
                        help = "Rounds between exchanges of models.")
                Integer contractEvery,
        @Setting(
                        group = "Servers",
                        label = "STEPS",
                        derived = "0",
                        help =
                                "Number of exchanges of aggregates before each step, which reduce"
                                        + " disagreement where data differ: a number, or log for"
                                        + " ⌈log₂(t + 1)⌉ in round t.")
                String contract,
        @Setting(
                        group = "Servers",
                        label = "GRAPH",
                        derived = "all nodes, which also receive all gradients",
                        help =
                                "Communication graph. Each node steps along its own gradient only"
                                        + " and combines its neighbors' models by --aggregator:"
                                        + " complete, ring, torus, star, random-regular(k),"
                                        + " erdos-renyi(p), or pull(s) for s nodes drawn anew each"
                                        + " time.")
                String graph,
        @Setting(
                        group = "Servers",
                        label = "PEERS",
                        derived = "all",
                        help =
                                "Which neighbors on the --graph a node reads: all, or pull(s) for s"
                                        + " drawn anew each time. Without a graph, all other nodes are"
                                        + " neighbors.")
                String peers,
        @Setting(
                        group = "Servers",
                        label = "SERVER@round:N",
                        derived = "none",
                        help =
                                "Servers of a crash-tolerant run to crash on purpose, such "
                                        + "as 0@round:200, separated by commas.")
                String killServer,
        @Setting(
                        group = "Servers",
                        label = "TIME",
                        derived = "2s",
                        help =
                                "How long workers wait for the server that they read once "
                                        + "others offer a newer model.")
                Duration failoverTimeout,
        @Setting(
                        group = "Rounds",
                        label = "Q",
                        derived = "--workers",
                        range = "[1, 10000]",
                        help =
                                "Number of gradients that closes a round; fewer than "
                                        + "--workers makes rounds asynchronous. Or a share of the "
                                        + "workers in a round, such as 80%%, rounded up.")
                CountOrShare quorum,
        @Setting(
                        group = "Rounds",
                        label = "S",
                        derived = "0",
                        range = "[1, 10000]",
                        help =
                                "Let rounds take gradients on models up to S versions old, so that"
                                        + " workers wait for nobody. The defaults are then"
                                        + " --aggregator average, --byzantine 0 and --quorum 1.")
                Integer stalenessBound,
        @Setting(
                        group = "Rounds",
                        label = "CHOICE",
                        derived = "gradients are sent when they are ready",
                        help =
                                "ordered: with --staleness-bound, a worker announces a gradient"
                                        + " and sends it when asked. The gradient that arrives"
                                        + " soonest goes first, and one that would be too old when"
                                        + " it arrived is not sent.")
                Transferring transfers,
        @Setting(
                        group = "Rounds",
                        label = "D",
                        derived = "none",
                        range = "[0, inf)",
                        help =
                                "Keep a replica of the server in another TaskManager, whose model"
                                        + " is at most D (Euclidean distance) from the server's. It"
                                        + " goes on in the server's place when that is lost. 0"
                                        + " sends it every update.")
                Double replica,
        @Setting(
                        group = "Rounds",
                        label = "TIME",
                        derived = "unlimited",
                        help =
                                "How long a round waits for missing gradients; a worker that "
                                        + "misses it has failed in that round.")
                Duration roundTimeout,
        @Setting(
                        group = "Rounds",
                        label = "CHOICE",
                        fallback = "reject",
                        help =
                                "reject treats gradients with NaN or infinity as proven "
                                        + "faults; keep passes them to the rule.")
                NonFinite nonFinite,
        @Setting(
                        group = "Rounds",
                        label = "K:ROUNDS",
                        derived = "no worker is excluded",
                        help =
                                "Exclude a worker for ROUNDS rounds after K proven faults, and"
                                        + " again after each later one, such as 3:100. Proven faults"
                                        + " are NaN or infinity, a block of the wrong size and, over"
                                        + " Kafka, two signed blocks that differ.")
                String reputation,
        @Setting(
                        group = "Rounds",
                        label = "N",
                        fallback = "500",
                        range = "[1, 1000000000]",
                        help = "Number of rounds.")
                long rounds,
        @Setting(
                        group = "Rounds",
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
                        group = "Learning",
                        label = "N",
                        derived = "--batch-size",
                        range = "[1, 1000000]",
                        help =
                                "Samples per pass: a larger batch is computed in several "
                                        + "passes, with the memory of one.")
                Integer microBatch,
        @Setting(
                        group = "Pipeline",
                        label = "STAGES",
                        derived = "each worker has the whole model",
                        help =
                                "Cut the model of each worker into stages of neighboring layers,"
                                        + " which run in different slots: a number of stages, which"
                                        + " are then balanced by measured times, or the plan that"
                                        + " levee place --json has written.")
                String pipeline,
        @Setting(
                        group = "Pipeline",
                        label = "N",
                        derived = "the number of stages, or the plan's",
                        range = "[1, 1000000]",
                        help =
                                "Number of micro-batches into which each batch is cut. Several"
                                        + " stages work at a time only if there are several.")
                Integer microBatches,
        @Setting(
                        group = "Pipeline",
                        label = "NAME",
                        derived = "1f1b, or the plan's",
                        help =
                                "Order of micro-batches: gpipe, all forward passes before all"
                                        + " backward passes, or 1f1b, alternating, which holds the"
                                        + " activations of fewer. Does not change the model.")
                String pipelineSchedule,
        @Setting(
                        group = "Pipeline",
                        label = "",
                        help =
                                "Keep only the inputs of a stage between the two passes of a"
                                        + " micro-batch, and compute the rest again. Does not change"
                                        + " the model.")
                Boolean recompute,
        @Setting(
                        group = "Pipeline",
                        label = "SIZE",
                        derived = "no limit, or the plan's devices",
                        help =
                                "Memory that the tensors of a stage may take, such as 300m; a"
                                        + " pipeline that needs more is refused.")
                String stageMemory,
        @Setting(
                        group = "Learning",
                        label = "X",
                        fallback = "0.2",
                        range = "(0, inf)",
                        help = "Step size before the schedule.")
                double learningRate,
        @Setting(
                        group = "Learning",
                        label = "NAME",
                        fallback = "constant",
                        help =
                                "constant, step(every=1000, factor=0.1), exponential(decay=0.999),"
                                        + " inverse(decay=0.01), cosine, or warmup(rounds=100) | any of"
                                        + " these.")
                String schedule,
        @Setting(
                        group = "Learning",
                        label = "OPTIMIZER",
                        fallback = "sgd",
                        help = "sgd, adam, adamw, rmsprop or adagrad.")
                OptimizerKind optimizer,
        @Setting(
                        group = "Learning",
                        label = "X",
                        fallback = "0.9",
                        range = "[0, 1)",
                        help = "Momentum factor; 0 for none.")
                double momentum,
        @Setting(
                        group = "Learning",
                        label = "SIDE",
                        derived = "worker",
                        help =
                                "Who keeps the momentum: worker, which prevents small "
                                        + "deviations from adding up, or server.")
                MomentumSide momentumSide,
        @Setting(
                        group = "Learning",
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
                                "Let levee allocate change the batch and the number of workers,"
                                        + " which starts at --workers: min=1,max=8,max-batch=512, where"
                                        + " max-batch is samples per round over all workers."
                                        + " scaling=adascale, linear or sqrt sets the value of a larger"
                                        + " batch and how the learning rate follows.")
                String elastic,
        @Setting(
                        group = "Elasticity",
                        label = "SIZE",
                        derived = "no limit",
                        help =
                                "Memory that one gradient of an elastic run may take, such "
                                        + "as 512m; a batch that takes more is halved.")
                String workerMemory) {

    /** The settings above, of a run that trains in its own job. */
    public static final SettingsTable<RunConfig> SETTINGS =
            SettingsTable.of(RunConfig.class).without("initial");

    private static final Integer BATCH = Oracle.BATCH_SIZE;

    private static final int BYZANTINE = 3;

    /** What a gradient code decodes. */
    static final String AVERAGE = "average";

    private static final List<String> COMPARED = List.of("multi-krum", AVERAGE);

    /** True if a rule needs scores; one that is none is for {@link Resolver} to refuse. */
    private static boolean scored(List<String> rules) {
        try {
            return rules.stream().anyMatch(text -> Rules.parse(text).needsScores());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Fills in what follows from other settings. */
    public RunConfig {
        workers = nodes != null ? nodes : workers;
        dataset = dataset != null ? dataset : PythonAddresses.usualData(model);
        partition = partition != null ? partition : PythonAddresses.usualPartition(dataset);
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
        attackers = attackers != null ? attackers : (Integer) byzantine.mostOf(fewest);
        oracleBatch = oracleBatch == null && scored(aggregator) ? BATCH : oracleBatch;
        // The default stays unsaid, so that runs are called as before there were others.
        loss = loss == null || loss.strip().equals(Loss.DEFAULT.name()) ? null : loss.strip();
        quorum =
                quorum != null
                        ? quorum
                        : CountOrShare.of(
                                coded
                                        ? Resolver.coding(coding)
                                                .quorum(workers, byzantine.mostOf(workers))
                                        : stalenessBound != null ? 1 : workers);
        workerMemory = workerMemory == null || workerMemory.isBlank() ? null : workerMemory;
    }
}
