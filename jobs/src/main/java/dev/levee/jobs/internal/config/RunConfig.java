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
 * What is trained: everything that the resulting model depends on. Long only because each setting
 * is declared once, here, with its range and its help text.
 */
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
                        fallback = "3",
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
                        fallback = "multi-krum, average",
                        help =
                                "Aggregation rule, ${bundle:rules}, or pipeline that begins with"
                                        + " pre-aggregations, ${bundle:pre-aggregations}, such as"
                                        + " \"clip(2) | nnm | trimmed-mean\"; levee rules explain"
                                        + " tells more. Repeat it to train several side by side.")
                List<String> aggregator,
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
                        fallback = "worker",
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

    /** The settings above, of a run that trains in its own job. */
    public static final SettingsTable<RunConfig> SETTINGS =
            SettingsTable.of(RunConfig.class).without("initial");

    private static final Integer BATCH = Oracle.BATCH_SIZE;

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
        elastic = elastic == null || elastic.isBlank() ? null : elastic;
        int fewest = elastic == null ? workers : ElasticBounds.parse(elastic).min();
        attackers = attackers != null ? attackers : (Integer) byzantine.mostOf(fewest);
        oracleBatch = oracleBatch == null && scored(aggregator) ? BATCH : oracleBatch;
        // The default stays unsaid, so that runs are called as before there were others.
        loss = loss == null || loss.strip().equals(Loss.DEFAULT.name()) ? null : loss.strip();
        quorum = quorum != null ? quorum : CountOrShare.of(workers);
        workerMemory = workerMemory == null || workerMemory.isBlank() ? null : workerMemory;
    }
}
