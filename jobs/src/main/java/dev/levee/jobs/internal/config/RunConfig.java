package dev.levee.jobs.internal.config;

import dev.levee.gar.Rules;
import dev.levee.learners.Loss;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.training.Admission.NonFinite;
import dev.levee.operators.rounds.training.CountOrShare;
import dev.levee.operators.rounds.training.Oracle;

import java.time.Duration;
import java.util.List;

/** What is trained: everything that the resulting model depends on. */
public record RunConfig(
        @Setting(
                        group = "Data and model",
                        label = "URI",
                        fallback = "strokes:",
                        help =
                                "${bundle:formats}, on any file system that Flink knows; levee"
                                        + " datasets FORMAT tells the options of one.")
                String dataset,
        @Setting(
                        group = "Data and model",
                        label = "NAME",
                        fallback = "iid",
                        help =
                                "How samples are dealt to workers: iid, dirichlet(α), by-class or"
                                        + " gamma(γ).")
                String partition,
        @Setting(
                        group = "Data and model",
                        label = "NAME",
                        fallback = "mnist-cnn",
                        help =
                                "mnist-cnn, lenet, cifarnet, alexnet, resnet18, resnet50, vgg11,"
                                        + " vgg19, densenet121, logistic, file:PATH of a TorchScript"
                                        + " file, or python:PATH of a Python file.")
                String model,
        @Setting(
                        group = "Data and model",
                        label = "COMMAND",
                        derived = "python3",
                        help =
                                "Interpreter with PyTorch that runs the file of --model"
                                        + " python:PATH, such as venv/bin/python; on every machine"
                                        + " of the job under the same name.")
                String python,
        @Setting(
                        group = "Data and model",
                        label = "NAME",
                        derived = "cross-entropy",
                        help =
                                "What training makes small: cross-entropy of classes; bce of two"
                                        + " classes or of targets of 0 and 1; mse, mae, huber or"
                                        + " huber(DELTA) of targets, which --dataset names with"
                                        + " ?targets=; or module, the method loss(outputs,"
                                        + " targets) of a TorchScript file.")
                String loss,
        @Setting(
                        group = "Data and model",
                        label = "FILE",
                        help =
                                "Serve a model that only its workers know, in place of --model and"
                                        + " --dataset: its first weights, from numpy.savez or in the"
                                        + " safetensors format. It is evaluated by --evaluator, if at"
                                        + " all.")
                String initial,
        @Setting(
                        group = "Workers and lies",
                        label = "N",
                        fallback = "11",
                        range = "[1, 10000]",
                        help = "Number of workers, n.")
                int workers,
        @Setting(
                        group = "Workers and lies",
                        label = "F",
                        derived = "3",
                        range = "[0, 10000]",
                        help =
                                "How many Byzantine workers the rule has to tolerate, f; or which"
                                        + " share of the workers of a round, such as 20%, rounded"
                                        + " down.")
                CountOrShare byzantine,
        @Setting(
                        group = "Workers and lies",
                        label = "N",
                        derived = "--byzantine",
                        range = "[0, 10000]",
                        help = "How many workers, those with the highest ids, really attack.")
                Integer attackers,
        @Setting(
                        group = "Workers and lies",
                        label = "ATTACK",
                        fallback = "random",
                        help =
                                "What attackers send: ${bundle:attacks}; with parameters in"
                                        + " brackets, which levee rules explain tells.")
                String attack,
        @Setting(
                        group = "Workers and lies",
                        label = "RULE",
                        derived = "multi-krum and average",
                        help =
                                "Aggregation rule, ${bundle:rules}, or pipeline that begins with"
                                        + " pre-aggregations, ${bundle:pre-aggregations}, such as"
                                        + " \"clip(2) | nnm | trimmed-mean\"; levee rules explain"
                                        + " tells more. Repeat it to train several side by side.")
                List<String> aggregator,
        @Setting(
                        group = "Workers and lies",
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
                        group = "Workers and lies",
                        label = "N",
                        derived = "100 for zeno",
                        range = "[1, 1000000]",
                        help =
                                "Samples of the server's own, a tenth of the training set that no"
                                        + " worker gets, on which a rule such as zeno scores the"
                                        + " gradients of a round.")
                Integer oracleBatch,
        @Setting(
                        group = "Workers and lies",
                        label = "X",
                        derived = "0.0005 for zeno",
                        range = "[0, inf)",
                        help = "How much the squared norm of a gradient counts against it in zeno.")
                Double rho,
        @Setting(
                        group = "Servers",
                        label = "NAME",
                        derived = "one server",
                        help =
                                "replicated: every worker answers several servers, of which some"
                                        + " may lie; decentralised: every node is worker and server;"
                                        + " crash-tolerant: every worker answers several servers and"
                                        + " believes the first that has not crashed.")
                TopologyKind topology,
        @Setting(
                        group = "Servers",
                        label = "N",
                        derived = "1",
                        range = "[1, 1000]",
                        help = "Number of parameter servers of a replicated or crash-tolerant run.")
                Integer servers,
        @Setting(
                        group = "Servers",
                        label = "N",
                        derived = "--workers",
                        range = "[1, 10000]",
                        help = "Number of nodes of a decentralized run, in the place of --workers.")
                Integer nodes,
        @Setting(
                        group = "Servers",
                        label = "F",
                        derived = "0; --byzantine of a decentralised run",
                        range = "[0, 1000]",
                        help =
                                "How many lying servers, or nodes, the rule for models has to"
                                        + " tolerate.")
                Integer byzantineServers,
        @Setting(
                        group = "Servers",
                        label = "RULE",
                        derived = "median",
                        help =
                                "What servers make of each other's models, and workers that read"
                                        + " several.")
                String serverAggregator,
        @Setting(
                        group = "Servers",
                        label = "Q",
                        derived = "--servers; --nodes of a decentralised run",
                        range = "[1, 10000]",
                        help =
                                "How many models close an exchange between servers, or nodes, their"
                                        + " own among them, and how many a worker combines; fewer"
                                        + " than there are makes exchanges asynchronous.")
                Integer serverQuorum,
        @Setting(
                        group = "Servers",
                        label = "NAME",
                        derived = "none",
                        help =
                                "What lying servers send instead of their models: an attack as of"
                                        + " workers.")
                String serverAttack,
        @Setting(
                        group = "Servers",
                        label = "N",
                        derived = "--byzantine-servers; --attackers on a graph",
                        range = "[0, 1000]",
                        help =
                                "How many servers really lie: those with the highest ids, of"
                                        + " crash-tolerant ones those with the lowest, which are"
                                        + " read.")
                Integer serverAttackers,
        @Setting(
                        group = "Servers",
                        label = "CHOICE",
                        derived = "aggregate",
                        help =
                                "What workers do with several servers: aggregate their models and"
                                        + " answer all with one gradient, or compute one for each of"
                                        + " them: per-server.")
                ModelReading workerModels,
        @Setting(
                        group = "Servers",
                        label = "T",
                        derived = "1",
                        range = "[1, 1000000000]",
                        help = "Rounds from one exchange of models to the next.")
                Integer contractEvery,
        @Setting(
                        group = "Servers",
                        label = "STEPS",
                        derived = "0",
                        help =
                                "How often nodes exchange aggregates before each step, which brings"
                                        + " them together where data differs: a number, or log for"
                                        + " ⌈log₂(t + 1)⌉ times in round t.")
                String contract,
        @Setting(
                        group = "Servers",
                        label = "GRAPH",
                        derived = "everybody hears everybody, and gets all gradients",
                        help =
                                "Whom a node hears that steps along its own gradient only and makes"
                                        + " one of models by --aggregator: complete, ring, torus,"
                                        + " star, random-regular(k), erdos-renyi(p), or pull(s) for"
                                        + " s others drawn anew each time.")
                String graph,
        @Setting(
                        group = "Servers",
                        label = "PEERS",
                        derived = "all",
                        help =
                                "Which neighbors on the --graph a node hears: all, or pull(s) for s"
                                        + " of them drawn anew each time. Without a graph, of all"
                                        + " others.")
                String peers,
        @Setting(
                        group = "Servers",
                        label = "SERVER@round:N",
                        derived = "none",
                        help =
                                "Servers of a crash-tolerant run that crash, to watch a fail-over:"
                                        + " such as 0@round:200, several with commas.")
                String killServer,
        @Setting(
                        group = "Servers",
                        label = "TIME",
                        derived = "2s",
                        help =
                                "How long other servers may offer a newer model before workers"
                                        + " leave the one that they read.")
                Duration failoverTimeout,
        @Setting(
                        group = "Rounds",
                        label = "Q",
                        derived = "--workers",
                        range = "[1, 10000]",
                        help =
                                "How many gradients close a round; fewer than --workers makes"
                                        + " rounds asynchronous. Or which share of the workers of a"
                                        + " round, such as 80%%, rounded up.")
                CountOrShare quorum,
        @Setting(
                        group = "Rounds",
                        label = "TIME",
                        derived = "wait for ever",
                        help =
                                "How long a round waits for missing gradients; who misses it has"
                                        + " failed in that round.")
                Duration roundTimeout,
        @Setting(
                        group = "Rounds",
                        label = "CHOICE",
                        fallback = "reject",
                        help =
                                "reject gradients with NaN or infinity as proven faults, or keep"
                                        + " them.")
                NonFinite nonFinite,
        @Setting(
                        group = "Rounds",
                        label = "K:ROUNDS",
                        derived = "nobody is left out",
                        help =
                                "Leave a worker out for so many rounds that has been proven faulty"
                                        + " in K, and again after each later one: 3:100. What proves"
                                        + " it is NaN or infinity, or a block of the wrong size; over"
                                        + " Kafka NaN or infinity, or two signed blocks that differ.")
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
                                "Samples that a worker computes at once: a larger batch is computed"
                                        + " in several passes, in the memory of one.")
                Integer microBatch,
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
                                        + " inverse(decay=0.01), cosine, or warmup(rounds=100) |"
                                        + " any of these.")
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
                        help = "Momentum factor, 0 for none.")
                double momentum,
        @Setting(
                        group = "Learning",
                        label = "SIDE",
                        derived = "worker",
                        help =
                                "Who keeps the momentum: worker, which keeps small lies from adding"
                                        + " up, or server.")
                MomentumSide momentumSide,
        @Setting(
                        group = "Learning",
                        label = "N",
                        fallback = "1",
                        range = "[0, 9007199254740991]",
                        help = "Seed of everything drawn.")
                long seed,
        @Setting(
                        group = "Elasticity",
                        label = "BOUNDS",
                        derived = "off",
                        help =
                                "Let levee allocate change the number of workers, which starts at"
                                        + " --workers, and the batch: min=1,max=8,max-batch=512,"
                                        + " where max-batch is samples per round over all workers."
                                        + " scaling=adascale, linear or sqrt says what a larger"
                                        + " batch is worth and how the learning rate follows.")
                String elastic,
        @Setting(
                        group = "Elasticity",
                        label = "SIZE",
                        derived = "no limit",
                        help =
                                "Memory that one gradient of an elastic run may take, such as 512m;"
                                        + " a batch that takes more is halved.")
                String workerMemory) {

    /** The settings above. */
    public static final SettingsTable<RunConfig> SETTINGS =
            SettingsTable.of(RunConfig.class).fixing("initial", "");

    /** Those of a run that has one server. */
    private static final SettingsTable<RunConfig> ONE_SERVER =
            SETTINGS.fixing("topology", "")
                    .fixing("servers", "")
                    .fixing("nodes", "")
                    .fixing("byzantine-servers", "")
                    .fixing("server-aggregator", "")
                    .fixing("server-quorum", "")
                    .fixing("server-attack", "")
                    .fixing("server-attackers", "")
                    .fixing("worker-models", "")
                    .fixing("contract-every", "")
                    .fixing("contract", "")
                    .fixing("graph", "")
                    .fixing("peers", "")
                    .fixing("kill-server", "")
                    .fixing("failover-timeout", "");

    /** Those of a server, whose workers are outside: their data and their lies are their own. */
    public static final SettingsTable<RunConfig> SERVED =
            SETTINGS.fixing("topology", "")
                    .fixing("nodes", "")
                    .fixing("server-quorum", "")
                    .fixing("contract", "")
                    .fixing("graph", "")
                    .fixing("peers", "")
                    .fixing("kill-server", "")
                    .fixing("failover-timeout", "")
                    .offering(
                            "servers",
                            "",
                            "Number of parameter servers, each of which signs its models with a key"
                                    + " of its own: s0.key, s1.key, …")
                    .fixing("micro-batch", "")
                    .fixing("coding", "")
                    .fixing("partition", "iid")
                    .fixing("attack", "none")
                    .fixing("attackers", "0")
                    .fixing("elastic", "")
                    .fixing("worker-memory", "")
                    .offering(
                            "dataset",
                            "strokes:",
                            "Its test set evaluates the model: ${bundle:formats}, on any file"
                                    + " system that Flink knows.")
                    .reopening("initial")
                    .offering(
                            "aggregator",
                            "multi-krum",
                            "Aggregation rule or pipeline such as \"clip(2) | nnm |"
                                    + " trimmed-mean\".")
                    .offering(
                            "momentum-side",
                            "worker",
                            "Who keeps the momentum: worker, by an option of its own, or server.");

    /** Those of one worker outside: models tell it everything else. */
    public static final SettingsTable<RunConfig> WORKING =
            ONE_SERVER
                    .fixing("workers", "1")
                    .fixing("byzantine", "0")
                    .fixing("attackers", "1")
                    .fixing("aggregator", "average")
                    .fixing("coding", "")
                    .fixing("oracle-batch", "")
                    .fixing("rho", "")
                    .fixing("quorum", "")
                    // A worker waits for nobody: rounds are the server's.
                    .fixing("round-timeout", "1s")
                    .fixing("non-finite", "reject")
                    .fixing("rounds", "1")
                    .fixing("eval-interval", "1")
                    .fixing("batch-size", "1")
                    .fixing("micro-batch", "")
                    .fixing("learning-rate", "1")
                    .fixing("schedule", "constant")
                    .fixing("optimizer", "sgd")
                    .fixing("momentum-side", "worker")
                    .fixing("elastic", "")
                    .fixing("reputation", "")
                    .fixing("worker-memory", "")
                    .offering(
                            "attack",
                            "none",
                            "What to send instead of gradients, for an experiment: none,"
                                    + " reversed, random, dropped, nan, inf, silent or label-flip,"
                                    + " with parameters in brackets.")
                    .offering(
                            "momentum",
                            "0.9",
                            "Momentum factor; 0 for none, as for a job with --momentum-side"
                                    + " server.");

    /** Those of one device outside: models tell it everything else. */
    public static final SettingsTable<RunConfig> DEVICE =
            WORKING.fixing("partition", "iid")
                    .fixing("momentum", "0")
                    .fixing("seed", "1")
                    .offering(
                            "dataset",
                            "strokes:",
                            "What devices hold samples of, dealt to them as the job says:"
                                    + " ${bundle:formats}, on any file system that Flink knows.")
                    .offering(
                            "model",
                            "mnist-cnn",
                            "The job's: mnist-cnn, lenet, cifarnet, resnet18, resnet50, logistic,"
                                    + " lsgan, upsample-dcgan, file:PATH of a TorchScript file, or"
                                    + " files:generator=PATH,discriminator=PATH of two.")
                    .offering(
                            "attack",
                            "none",
                            "What to send instead, for an experiment: none, reversed, random,"
                                    + " dropped, nan, inf, silent or label-flip, with parameters in"
                                    + " brackets.");

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
        boolean coded = coding != null;
        byzantine = byzantine != null ? byzantine : CountOrShare.of(coded ? 0 : BYZANTINE);
        aggregator = !aggregator.isEmpty() ? aggregator : coded ? List.of(AVERAGE) : COMPARED;
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
                                        : workers);
        workerMemory = workerMemory == null || workerMemory.isBlank() ? null : workerMemory;
    }
}
