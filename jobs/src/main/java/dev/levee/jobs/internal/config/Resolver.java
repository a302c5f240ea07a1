package dev.levee.jobs.internal.config;

import static dev.levee.jobs.internal.config.setting.Values.named;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Attack;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.gar.rules.Zeno;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.jobs.internal.config.setting.Sizes;
import dev.levee.jobs.internal.config.setting.Values;
import dev.levee.jobs.internal.weights.WeightsModel;
import dev.levee.learners.Loss;
import dev.levee.learners.MicroBatchModel;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.Task;
import dev.levee.operators.rounds.coding.Coding;
import dev.levee.operators.rounds.coding.GradientCode;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.plan.Elasticity;
import dev.levee.operators.rounds.plan.Reputation;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Oracle;
import dev.levee.operators.rounds.training.OwnLoopWork;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.training.Work;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates training runs from a configuration. The runs check themselves. */
public final class Resolver {
    /** Name for the data of a run whose workers alone know their data. */
    private static final String NO_DATA =
            Datasets.inline(new float[][] {{0}, {0}}, new int[] {0, 1}, 2);

    private static final Pattern REPUTATION =
            Pattern.compile("([1-9]\\d{0,8})\\s*:\\s*([1-9]\\d{0,8})");

    private Resolver() {}

    /**
     * Checks the configuration as far as possible without opening the data.
     *
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public static void check(RunConfig config) {
        require(!config.aggregator().isEmpty(), "--aggregator needs at least one rule");
        require(
                config.elastic() != null || config.workerMemory() == null,
                "--worker-memory is for runs with --elastic");
        Pipelines.check(config);
        Set<String> names = new HashSet<>();
        boolean scores = false;
        named("--loss", () -> loss(config.loss()));
        PythonAddresses.model(config.model(), config.python(), config.device());
        for (String text : config.aggregator()) {
            Rule rule = training(config, text, new UnopenedModel(config.model()), 1).rule();
            require(names.add(rule.name()), "--aggregator %s is given twice", rule.name());
            scores |= rule.needsScores();
        }
        require(
                scores || config.oracleBatch() == null,
                "--oracle-batch is for rules that need scores, such as zeno; --aggregator "
                        + "has none");
        require(
                !scores || config.initial() == null,
                "--aggregator needs scores on samples, which a run with --initial does not have");
        require(
                config.rho() == null
                        || config.aggregator().stream()
                                .map(Rules::parse)
                                .anyMatch(Resolver::weighs),
                "--rho is for the rule zeno without a rho of its own, which --aggregator does not"
                        + " have");
        require(
                config.momentumSide() == MomentumSide.WORKER
                        || config.optimizer().hasMomentum()
                        || config.momentum() == 0
                        || config.usualMomentum(),
                "--momentum of the server is for --optimizer sgd and rmsprop, got %s",
                Values.text(config.optimizer()));
    }

    /**
     * Opens the data and returns the training runs of a checked configuration, one for each rule.
     */
    public static List<Training> trainings(RunConfig config, int computeThreads) {
        return trainings(config, computeThreads, Models::open);
    }

    /** Like {@link #trainings(RunConfig, int)}, with a function that opens the model. */
    public static List<Training> trainings(
            RunConfig config, int computeThreads, Models.Opener models) {
        return trainings(config, computeThreads, models, List.of());
    }

    /**
     * Like {@link #trainings(RunConfig, int)}, for a run that may be resumed.
     *
     * @param lastLayers last layers of the stages with which the run started; empty if they are
     *     unknown
     */
    public static List<Training> trainings(
            RunConfig config, int computeThreads, List<Integer> lastLayers) {
        return trainings(config, computeThreads, Models::open, lastLayers);
    }

    private static List<Training> trainings(
            RunConfig config, int computeThreads, Models.Opener models, List<Integer> lastLayers) {
        if (config.initial() != null) {
            Model weights = named("--initial", () -> WeightsModel.open(config.initial()));
            return config.aggregator().stream()
                    .map(text -> fitting(config, training(config, text, weights, computeThreads)))
                    .toList();
        }
        String uri = PythonAddresses.data(config.dataset(), config.workers(), config.python());
        Dataset data = RunData.open(uri);
        Task task = task(config.loss(), data);
        PartitionAmong.checkOwners(data, config.partition(), config.workers(), "--workers");
        RunData.checkClasses(
                data, config.partition(), config.attackers() == 0 ? null : config.attack());
        String address = PythonAddresses.model(config.model(), config.python(), config.device());
        Model opened = named("--model", () -> models.open(address, data.shape(), task));
        checkLoop(config, opened);
        Model model =
                config.pipeline() != null
                        ? Pipelines.of(config, opened, lastLayers)
                        : config.microBatch() == null
                                ? opened
                                : new MicroBatchModel(opened, config.microBatch());
        return config.aggregator().stream()
                .map(text -> fitting(config, training(config, text, model, computeThreads)))
                .toList();
    }

    /** Returns the training once its attack is known to fit the open model. */
    private static Training fitting(RunConfig config, Training training) {
        try {
            training.checkLength(training.model().layout().size());
            return training;
        } catch (WrongTrainingException e) {
            throw new IllegalArgumentException(e.naming(part -> option(config, part)), e);
        }
    }

    /** Checks the options that a model with its own training loop requires or excludes. */
    private static void checkLoop(RunConfig config, Model opened) {
        require(
                opened.ownLoop() || config.localSteps() == null,
                "--local-steps %s is for --model python:PATH with its own train(); federate trains"
                        + " other models locally",
                config.localSteps());
        require(
                !opened.ownLoop() || config.microBatch() == null,
                "--micro-batch %s is for gradients, but %s has its own train()",
                config.microBatch(),
                opened.name());
        require(
                !opened.ownLoop() || config.coding() == null,
                "--coding decodes sums of gradients, but %s has its own train()",
                opened.name());
    }

    private static Loss loss(String name) {
        return name == null ? Loss.DEFAULT : Loss.parse(name);
    }

    /** The task that a model learns from data. */
    public static Task task(String loss, Dataset data) {
        return named("--loss", () -> Task.of(loss(loss), data));
    }

    /** Creates the training with one of the rules. The training checks itself. */
    private static Training training(
            RunConfig config, String aggregator, Model model, int computeThreads) {
        Rule named = named("--aggregator", () -> weighing(config, Rules.parse(aggregator)));
        try {
            GradientCode code = code(config, named);
            Rule rule =
                    code == null
                            ? named
                            : Coding.rule(
                                    code,
                                    config.byzantine().mostOf(config.workers()),
                                    plan(config));
            return new TrainingBuilder(
                            runId(config, aggregator),
                            config.initial() == null
                                    ? PythonAddresses.data(
                                            config.dataset(), config.workers(), config.python())
                                    : NO_DATA,
                            model,
                            rule,
                            config.workers(),
                            0)
                    .byzantine(config.byzantine())
                    .partition(PartitionAmong.partition(config))
                    .attack(Topologies.local(config) ? null : attack(config), config.attackers())
                    .quorum(config.quorum())
                    .oracle(oracle(config, rule))
                    .roundTimeout(config.roundTimeout())
                    .nonFinite(config.nonFinite())
                    .fanIn(Combining.fanIn(config.combine()))
                    .staleness(config.stalenessBound() == null ? 0 : config.stalenessBound())
                    .ordered(config.transfers() == Transferring.ORDERED)
                    .batchSize(config.batchSize())
                    .learningRate(learningRate(config))
                    .work(work(config, code, model))
                    .optimizer(
                            Optimizer.decaying(
                                    config.optimizer(),
                                    momentum(config, MomentumSide.SERVER),
                                    config.weightDecay()))
                    .rounds(config.rounds())
                    .evalInterval(config.evalInterval())
                    .seed(config.seed())
                    .computeThreads(computeThreads)
                    .plan(plan(config))
                    .topology(Topologies.of(config, rule))
                    .build();
        } catch (WrongTrainingException e) {
            throw new IllegalArgumentException(e.naming(part -> option(config, part)), e);
        }
    }

    /**
     * Reads {@code --coding}.
     *
     * @throws IllegalArgumentException if the text names no code; one sentence
     */
    static Coding coding(String text) {
        try {
            return Coding.parse(text);
        } catch (WrongTrainingException e) {
            throw new IllegalArgumentException(e.naming(part -> "--" + part), e);
        }
    }

    /** The gradient code of a run, null if it has none. */
    private static GradientCode code(RunConfig config, Rule rule) {
        if (config.coding() == null) {
            return null;
        }
        require(
                rule.name().equals(RunConfig.AVERAGE),
                "--coding decodes the mean of all gradients, so --aggregator must be %s, got %s",
                RunConfig.AVERAGE,
                rule.name());
        return coding(config.coding()).code(config.workers(), config.seed());
    }

    private static Work work(RunConfig config, GradientCode code, Model model) {
        double momentum = momentum(config, MomentumSide.WORKER);
        require(
                code == null || momentum == 0,
                "--momentum-side must be server with --coding, because all copies of a share must"
                        + " be equal, got worker");
        if (model.ownLoop()) {
            int steps = config.localSteps() == null ? 1 : config.localSteps();
            return new OwnLoopWork(steps, new GradientWork(momentum));
        }
        return code == null ? new GradientWork(momentum) : Coding.work(code, plan(config));
    }

    /** The name of the option for a part of a training, for messages. */
    private static String option(RunConfig config, String part) {
        return switch (part) {
            case "rule" -> config.coding() == null ? "--aggregator" : "--coding";
            case "oracle" -> "--oracle-batch";
            case "staleness" -> "--staleness-bound";
            default -> "--" + SettingsTable.kebab(part);
        };
    }

    private static double momentum(RunConfig config, MomentumSide side) {
        return config.momentumSide() == side ? config.momentum() : 0;
    }

    private static Plan plan(RunConfig config) {
        if (config.elastic() == null) {
            return config.reputation() == null ? Plan.FIXED : reputation(config.reputation());
        }
        require(
                config.reputation() == null,
                "--reputation is for runs without --elastic, because elastic workers come and go");
        require(
                config.partitionSeed() == null && config.partitionAmong() != PartitionAmong.HONEST,
                "--partition-seed and --partition-among honest are for runs without --elastic, whose"
                        + " workers share all data");
        ElasticBounds bounds = ElasticBounds.parse(config.elastic());
        long most = (long) bounds.max() * config.batchSize();
        return new Elasticity(
                bounds.min(),
                bounds.max(),
                bounds.maxBatch() == null ? most : bounds.maxBatch(),
                config.workerMemory() == null
                        ? 0
                        : Sizes.bytes("--worker-memory", config.workerMemory()),
                config.learningRate(),
                bounds.scaling(),
                null);
    }

    private static Reputation reputation(String text) {
        Matcher matcher = REPUTATION.matcher(text.strip());
        require(
                matcher.matches(),
                "--reputation must be like 3:100, for 3 proven faults and 100 rounds, got %s",
                text);
        return new Reputation(
                Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    static Attack attack(RunConfig config) {
        return config.attackers() == 0 ? null : Values.attack("--attack", config.attack());
    }

    /**
     * Gives zeno the weight of {@code --rho} unless it has a weight; returns other rules unchanged.
     */
    private static Rule weighing(RunConfig config, Rule rule) {
        return config.rho() != null && weighs(rule)
                ? new Zeno(config.rho(), ((Zeno) rule).b(), ((Zeno) rule).meanSquare())
                : rule;
    }

    /** True if {@code --rho} applies to a rule. */
    private static boolean weighs(Rule rule) {
        return rule instanceof Zeno zeno && zeno.rho() == Zeno.DEFAULT_RHO;
    }

    private static Oracle oracle(RunConfig config, Rule rule) {
        return config.oracleBatch() == null || !rule.needsScores()
                ? null
                : new Oracle(null, config.oracleBatch());
    }

    private static LearningRate learningRate(RunConfig config) {
        return named(
                "--schedule",
                () ->
                        LearningRate.parse(
                                config.schedule(), config.learningRate(), config.rounds()));
    }

    private static void require(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new IllegalArgumentException(message.formatted(arguments));
        }
    }

    /**
     * Names a run by the settings that determine its model, so that a resumed run keeps its name.
     * The number of rounds is left out, because a resumed run may be longer.
     */
    private static String runId(RunConfig config, String rule) {
        Map<String, Object> values = RunConfig.SETTINGS.write(config);
        values.remove("rounds");
        values.put("aggregator", rule);
        if (config.initial() != null) {
            values.put("initial", config.initial());
        }
        return hash(values);
    }

    /** Hashes these values to a short name. */
    public static String hash(Map<String, ?> values) {
        return hash(values, 4);
    }

    /** Hashes these values to a name of this many bytes. */
    public static String hash(Map<String, ?> values, int bytes) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(values.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
