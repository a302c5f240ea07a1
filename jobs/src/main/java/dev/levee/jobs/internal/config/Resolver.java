package dev.levee.jobs.internal.config;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Partition;
import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.gar.rules.Zeno;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.AttackPlan;
import dev.levee.operators.rounds.Elasticity;
import dev.levee.operators.rounds.GradientWork;
import dev.levee.operators.rounds.Oracle;
import dev.levee.operators.rounds.Plan;
import dev.levee.operators.rounds.Training;
import dev.levee.operators.rounds.TrainingBuilder;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.schedule.LearningRate;

import org.apache.flink.configuration.MemorySize;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Turns a configuration into training runs, checking first what concerns several settings. */
public final class Resolver {
    private Resolver() {}

    /**
     * Checks what can be checked without opening the data.
     *
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public static void check(RunConfig config) {
        Attack attack = attack(config);
        require(
                config.byzantine() < config.workers(),
                "--byzantine must be below --workers, which is %d, got %d",
                config.workers(),
                config.byzantine());
        require(
                config.attackers() <= config.workers(),
                "--attackers must be at most --workers, which is %d, got %d",
                config.workers(),
                config.attackers());
        require(
                config.quorum() <= config.workers(),
                "--quorum must be at most --workers, which is %d, got %d",
                config.workers(),
                config.quorum());
        require(
                config.quorum() == config.workers()
                        || config.workers() - config.byzantine() >= config.quorum(),
                "--quorum must be at most n − f = %d so that %d silent Byzantine workers cannot"
                        + " hold a round up, or n = %d for synchronous rounds, got %d",
                config.workers() - config.byzantine(),
                config.byzantine(),
                config.workers(),
                config.quorum());
        require(
                attack == null
                        || !attack.silent()
                        || config.roundTimeout() != null
                        || config.quorum() <= config.workers() - config.attackers(),
                "--attack silent needs --round-timeout or a --quorum of at most %d: %d of %d"
                        + " workers never answer, so rounds that wait for %d would wait for ever",
                config.workers() - config.attackers(),
                config.attackers(),
                config.workers(),
                config.quorum());
        named(
                "--attack",
                () ->
                        new AttackPlan(
                                attack,
                                config.workers(),
                                config.attackers(),
                                config.quorum(),
                                config.seed()));
        require(!config.aggregator().isEmpty(), "--aggregator needs at least one rule");
        elastic(config);
        Set<String> names = new HashSet<>();
        for (String text : config.aggregator()) {
            Rule rule = rule(config, text);
            require(names.add(rule.name()), "--aggregator %s is given twice", rule.name());
        }
        boolean scores =
                config.aggregator().stream().anyMatch(text -> rule(config, text).needsScores());
        require(
                scores || config.oracleBatch() == null,
                "--oracle-batch is for rules that need scores, such as zeno; --aggregator has none");
        require(
                scores || config.rho() == null,
                "--rho is for the rule zeno, which --aggregator does not have");
        partition(config);
        learningRate(config);
    }

    /** The training runs of a configuration that was checked, one per rule; opens the data. */
    public static List<Training> trainings(RunConfig config, int computeThreads) {
        Dataset data =
                named("--dataset", () -> Datasets.open(config.dataset(), Datasets.Split.TRAIN));
        Model model =
                named("--model", () -> Models.open(config.model(), data.shape(), data.classes()));
        List<Training> trainings = new ArrayList<>();
        for (String text : config.aggregator()) {
            trainings.add(
                    new TrainingBuilder(
                                    runId(config, text),
                                    config.dataset(),
                                    model,
                                    rule(config, text),
                                    config.workers(),
                                    config.byzantine())
                            .partition(partition(config))
                            .attack(attack(config), config.attackers())
                            .quorum(config.quorum())
                            .oracle(oracle(config, rule(config, text)))
                            .roundTimeout(config.roundTimeout())
                            .nonFinite(config.nonFinite())
                            .batchSize(config.batchSize())
                            .learningRate(learningRate(config))
                            .work(new GradientWork(momentum(config, MomentumSide.WORKER)))
                            .optimizer(
                                    Optimizer.of(
                                            config.optimizer(),
                                            momentum(config, MomentumSide.SERVER)))
                            .rounds(config.rounds())
                            .evalInterval(config.evalInterval())
                            .seed(config.seed())
                            .computeThreads(computeThreads)
                            .plan(plan(config))
                            .build());
        }
        return trainings;
    }

    private static void elastic(RunConfig config) {
        if (config.elastic() == null) {
            require(config.workerMemory() == null, "--worker-memory is for runs with --elastic");
            return;
        }
        ElasticBounds bounds = ElasticBounds.parse(config.elastic());
        require(
                bounds.min() <= config.workers() && config.workers() <= bounds.max(),
                "--workers must be within %s, for the run starts with it, got %d",
                "--elastic min=" + bounds.min() + ",max=" + bounds.max(),
                config.workers());
        require(
                bounds.max() <= TrainingJob.MAX_PARALLELISM,
                "--elastic max must be at most %d, got %d",
                TrainingJob.MAX_PARALLELISM,
                bounds.max());
        long nominal = (long) config.workers() * config.batchSize();
        require(
                bounds.maxBatch() == null || bounds.maxBatch() >= nominal,
                "--elastic max-batch must be at least --workers × --batch-size = %d, got %d",
                nominal,
                bounds.maxBatch());
        require(
                config.quorum() == config.workers(),
                "--elastic needs synchronous rounds: leave --quorum out");
        require(
                config.partition().equals("iid"),
                "--elastic needs --partition iid, for workers that come and go share all data, got"
                        + " %s",
                config.partition());
        Attack attack = attack(config);
        require(
                attack == null || config.attackers() < bounds.min(),
                "--attackers must be fewer than min of --elastic, which is %d: attackers and one"
                        + " whom they watch are among the workers that always run, got %d",
                bounds.min(),
                config.attackers());
        named(
                "--attack with min of --elastic",
                () ->
                        new AttackPlan(
                                attack,
                                bounds.min(),
                                attack == null ? 0 : config.attackers(),
                                bounds.min(),
                                config.seed()));
        require(
                config.workerMemory() == null || !config.model().startsWith("file:"),
                "--worker-memory cannot be measured for a TorchScript file: leave it out");
        for (String text : config.aggregator()) {
            Rule rule = rule(config, text);
            require(
                    bounds.min() >= rule.minimumRows(config.byzantine()),
                    "--elastic min must be at least %d, which %s needs with f = %d, got %d",
                    rule.minimumRows(config.byzantine()),
                    rule.name(),
                    config.byzantine(),
                    bounds.min());
        }
        workerMemory(config);
    }

    private static long workerMemory(RunConfig config) {
        try {
            return config.workerMemory() == null
                    ? 0
                    : MemorySize.parse(config.workerMemory()).getBytes();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--worker-memory must be a size such as 512m or 2g, got "
                            + config.workerMemory(),
                    e);
        }
    }

    private static double momentum(RunConfig config, MomentumSide side) {
        return config.momentumSide() == side ? config.momentum() : 0;
    }

    private static Plan plan(RunConfig config) {
        if (config.elastic() == null) {
            return Plan.FIXED;
        }
        ElasticBounds bounds = ElasticBounds.parse(config.elastic());
        long most = (long) bounds.max() * config.batchSize();
        return new Elasticity(
                bounds.min(),
                bounds.max(),
                bounds.maxBatch() == null ? most : bounds.maxBatch(),
                workerMemory(config),
                config.learningRate(),
                null);
    }

    private static Attack attack(RunConfig config) {
        return config.attack().equals("none") || config.attackers() == 0
                ? null
                : named("--attack", () -> Attacks.parse(config.attack()));
    }

    private static Rule rule(RunConfig config, String text) {
        Rule rule = named("--aggregator", () -> weighing(config, Rules.parse(text)));
        boolean all = config.quorum() == config.workers();
        require(
                config.quorum() >= rule.minimumRows(config.byzantine()),
                "--aggregator %s needs %s: with f = %d that is %s, got %d",
                rule.name(),
                rule.limit(),
                config.byzantine(),
                all
                        ? rule.minimumRows(config.byzantine()) + " workers"
                        : "a quorum of " + rule.minimumRows(config.byzantine()),
                config.quorum());
        return rule;
    }

    /** Plain zeno, with what {@code --rho} says; others, and one that says it itself, stay. */
    private static Rule weighing(RunConfig config, Rule rule) {
        return config.rho() != null && rule instanceof Zeno zeno && zeno.rho() == Zeno.DEFAULT_RHO
                ? new Zeno(config.rho(), zeno.b(), zeno.meanSquare())
                : rule;
    }

    private static Oracle oracle(RunConfig config, Rule rule) {
        return config.oracleBatch() == null || !rule.needsScores()
                ? null
                : new Oracle(null, config.oracleBatch());
    }

    private static Partition partition(RunConfig config) {
        return named("--partition", () -> Partition.parse(config.partition()));
    }

    private static LearningRate learningRate(RunConfig config) {
        return named(
                "--schedule",
                () ->
                        LearningRate.parse(
                                config.schedule(), config.learningRate(), config.rounds()));
    }

    /** Runs what reads a value, putting the option's name in front of what it complains about. */
    public static <T> T named(String option, Supplier<T> read) {
        try {
            return read.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
        }
    }

    private static void require(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new IllegalArgumentException(message.formatted(arguments));
        }
    }

    /**
     * Names a run by what determines its model, so that a resumed run keeps its name. The number of
     * rounds is left out: a run may be resumed for longer.
     */
    private static String runId(RunConfig config, String rule) {
        Map<String, Object> values = RunConfig.SETTINGS.write(config);
        values.remove("rounds");
        values.put("aggregator", rule);
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(values.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 4);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
