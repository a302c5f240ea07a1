package dev.levee.jobs.internal.config;

import static dev.levee.jobs.internal.config.Resolver.named;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Partition;
import dev.levee.federated.Asynchrony;
import dev.levee.federated.Capabilities;
import dev.levee.federated.Deadline;
import dev.levee.federated.DecisionLog;
import dev.levee.federated.Federation;
import dev.levee.federated.LocalOptimizer;
import dev.levee.federated.LocalState;
import dev.levee.federated.LocalSteps;
import dev.levee.federated.LocalTraining;
import dev.levee.federated.OwnData;
import dev.levee.federated.PartialSync;
import dev.levee.federated.Privacy;
import dev.levee.federated.Sampling;
import dev.levee.federated.ServerSteps;
import dev.levee.federated.StalenessWeight;
import dev.levee.federated.Swapping;
import dev.levee.federated.VirtualTime;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.Task;
import dev.levee.operators.rounds.Oracle;
import dev.levee.operators.rounds.Training;
import dev.levee.operators.rounds.TrainingBuilder;
import dev.levee.operators.rounds.WrongTrainingException;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.schedule.LearningRate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Turns a configuration into federated runs, which check themselves. */
public final class FederationResolver {
    private static final double NANOS = 1e9;
    private static final int LOOKED_AT = 100;

    private FederationResolver() {}

    /**
     * Checks what can be checked without opening the data.
     *
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public static void check(FederationConfig config) {
        Set<String> names = new HashSet<>();
        for (String sampling : config.sampling()) {
            Federation federation = federation(config, sampling);
            if (!names.add(federation.sampling().name())) {
                throw new IllegalArgumentException(
                        "--sampling %s is given twice".formatted(federation.sampling().name()));
            }
            naming(
                    () -> {
                        federation.check(
                                run(config, sampling, new UnopenedModel(config.model()), 1));
                        return null;
                    });
        }
    }

    /** The runs of a configuration that was checked, one per sampling; opens the data. */
    public static List<Training> trainings(FederationConfig config, int computeThreads) {
        Dataset data =
                named("--dataset", () -> Datasets.open(config.dataset(), Datasets.Split.TRAIN));
        if (config.mostSamples() == null) {
            Resolver.checkOwners(data, config.partition(), config.devices(), "--devices");
            Resolver.checkClasses(data, config.partition(), config.attack());
        }
        Model model =
                config.gan() != null
                        ? named("--gan", () -> generative(config, data))
                        : learner(config, data);
        return config.sampling().stream()
                .map(
                        sampling ->
                                naming(
                                        () ->
                                                made(
                                                        config,
                                                        sampling,
                                                        run(
                                                                config,
                                                                sampling,
                                                                model,
                                                                computeThreads))))
                .toList();
    }

    /**
     * Checks what devices that are processes of their own cannot do, or do by themselves.
     *
     * @throws IllegalArgumentException if something of it is asked for; one sentence
     */
    public static void checkOutside(FederationConfig config) {
        if (config.sampling().size() > 1) {
            throw new IllegalArgumentException(
                    "--sampling: a run over Kafka has one, got " + config.sampling().size());
        }
        inJob(config.oracleBatch() != null, "aggregator", config.aggregator());
        inJob(virtual(config), "speed", config.speed());
        inJob(config.replay() != null, "replay", config.replay());
        inJob(config.swapEvery() != null, "swap-every", config.swapEvery());
        inJob(config.slices() != null, "slices", config.slices());
        inJob(config.localState() == LocalState.AVERAGE, "local-state", "average");
        inJob(config.dpNoise() != null, "dp-noise", config.dpNoise());
        inJob(config.load() == FederationConfig.Load.CAPABILITY, "load", "capability");
        inJob(
                config.serverStep().strip().equals("mix") && !config.algorithm().asynchronous(),
                "server-step",
                "mix");
        if (config.attack() != null) {
            throw new IllegalArgumentException(
                    "--attack %s: over Kafka a device lies by its own --attack, which levee device has"
                            .formatted(config.attack()));
        }
    }

    /**
     * Checks what devices inside a job cannot do.
     *
     * @throws IllegalArgumentException if something of it is asked for; one sentence
     */
    public static void checkInside(FederationConfig config) {
        if (FederationConfig.WALL.equals(config.speed()) && config.replay() == null) {
            throw new IllegalArgumentException(
                    "--speed wall is for devices over Kafka: give --bootstrap-servers too");
        }
    }

    /** True if it is simulated how long devices take. */
    private static boolean virtual(FederationConfig config) {
        return config.speed() != null && !config.speed().equals(FederationConfig.WALL);
    }

    private static void inJob(boolean wanted, String option, Object value) {
        if (wanted) {
            throw new IllegalArgumentException(
                    "--%s %s is for devices inside the job: leave --bootstrap-servers out"
                            .formatted(option, value));
        }
    }

    /**
     * The training that a device takes part in that is a process of its own.
     *
     * @param config what it was told; which algorithm that belongs to does not matter to it
     * @param own its model and data
     * @param partition how its data are dealt
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    static Training outside(FederationConfig config, Training own, Partition partition) {
        return naming(
                () ->
                        federation(config, "uniform")
                                .outside(
                                        new TrainingBuilder(own)
                                                .workers(config.devices())
                                                .partition(partition)
                                                .batchSize(config.batchSize())
                                                .seed(config.seed())
                                                .build()));
    }

    private static Training made(FederationConfig config, String sampling, Training run) {
        Federation federation = federation(config, sampling);
        return config.mostSamples() == null
                ? federation.of(run)
                : federation.ofOwnData(run, config.mostSamples());
    }

    private static Model learner(FederationConfig config, Dataset data) {
        Task task = Resolver.task(config.loss(), data);
        return named("--model", () -> Models.open(config.model(), data.shape(), task));
    }

    private static GenerativeModel generative(FederationConfig config, Dataset data) {
        Model model = Models.open(config.gan(), data.shape(), data.classes());
        if (model instanceof GenerativeModel generative) {
            requirePixels(config, data);
            return generative;
        }
        throw new IllegalArgumentException(
                "%s makes no images: it has to be lsgan or upsample-dcgan".formatted(config.gan()));
    }

    /** Looks at the first samples only: opening large data must stay quick. */
    private static void requirePixels(FederationConfig config, Dataset data) {
        int[] first = IntStream.range(0, Math.min(LOOKED_AT, data.size())).toArray();
        for (float value : data.batch(first).features()) {
            if (!(value >= 0 && value <= 1)) {
                throw new IllegalArgumentException(
                        "%s learns pixels of 0 to 1, and %s has a value of %s"
                                .formatted(config.gan(), config.dataset(), value));
            }
        }
    }

    /**
     * The same as a run without devices has it: where results of a run are kept and shown, all that
     * devices do is beside the point.
     */
    public static RunConfig run(FederationConfig config) {
        Map<String, Given> given = new HashMap<>();
        Map<String, Object> values = FederationConfig.SETTINGS.write(config);
        for (String same :
                List.of(
                        "dataset",
                        "partition",
                        "model",
                        "byzantine",
                        "rounds",
                        "eval-interval",
                        "batch-size",
                        "learning-rate",
                        "seed")) {
            if (values.containsKey(same)) {
                given.put(same, given(same, List.of(String.valueOf(values.get(same)))));
            }
        }
        given.put("workers", given("devices", List.of(String.valueOf(config.devices()))));
        given.put("attackers", given("attackers", List.of("0")));
        given.put(
                "aggregator",
                given(
                        "aggregator",
                        config.sampling().stream().map(each -> config.aggregator()).toList()));
        return RunConfig.SETTINGS.read(given);
    }

    private static Given given(String option, List<String> texts) {
        return new Given(texts, "--" + option);
    }

    private static Federation federation(FederationConfig config, String sampling) {
        LocalSteps steps =
                config.localSteps() != null
                        ? new LocalSteps.Steps(config.localSteps())
                        : new LocalSteps.Epochs(config.localEpochs());
        LocalTraining local =
                new LocalTraining(
                        steps,
                        config.load() == FederationConfig.Load.CAPABILITY,
                        config.localOptimizer()
                                .with(
                                        config.localMomentum(),
                                        config.localBeta1() == null
                                                ? Optimizer.BETA1
                                                : config.localBeta1(),
                                        config.localEpsilon() == null
                                                ? LocalOptimizer.EPSILON
                                                : config.localEpsilon()),
                        named(
                                "--schedule",
                                () ->
                                        LearningRate.parse(
                                                config.schedule(),
                                                config.learningRate(),
                                                config.rounds())),
                        config.proximal(),
                        config.localState());
        return new Federation(
                named("--sampling", () -> Sampling.parse(sampling)),
                config.perRound(),
                named("--capability", () -> Capabilities.parse(config.capability())),
                local,
                config.weighting(),
                named("--server-step", () -> ServerSteps.parse(config.serverStep())),
                config.serverRate(),
                naming(() -> privacy(config)),
                asynchrony(config),
                !virtual(config)
                        ? null
                        : new VirtualTime(
                                named("--speed", () -> Capabilities.parse(config.speed())),
                                config.available()),
                virtualDeadline(config),
                config.slices() == null
                        ? null
                        : new PartialSync(
                                config.slices(), config.resetEvery(), config.resetSlices()),
                config.swapEvery() == null ? null : new Swapping(config.swapEvery()));
    }

    private static Deadline virtualDeadline(FederationConfig config) {
        int devices = config.minDevices() == null ? 1 : config.minDevices();
        if (!virtual(config) || config.deadline() == null) {
            return new Deadline(Double.POSITIVE_INFINITY, Double.NaN, devices);
        }
        if (config.deadline().startsWith("adaptive")) {
            return naming(
                    () -> named("--deadline", () -> Deadline.adaptive(config.deadline(), devices)));
        }
        double nanos = Durations.positive("--deadline", config.deadline()).toNanos();
        return new Deadline(nanos / NANOS, Double.NaN, devices);
    }

    private static Duration deadline(FederationConfig config) {
        if (virtual(config) || config.deadline() == null) {
            return null;
        }
        if (config.deadline().startsWith("adaptive")) {
            throw new IllegalArgumentException(
                    "--deadline %s needs --speed: it is learned in virtual time"
                            .formatted(config.deadline()));
        }
        return Durations.positive("--deadline", config.deadline());
    }

    private static Asynchrony asynchrony(FederationConfig config) {
        return config.algorithm().asynchronous()
                ? new Asynchrony(
                        config.buffer(),
                        named(
                                "--staleness-weight",
                                () -> StalenessWeight.parse(config.stalenessWeight())),
                        config.maxStaleness(),
                        config.oracleEvery() == null ? 1 : config.oracleEvery(),
                        config.replay() == null ? null : log(config.replay()))
                : null;
    }

    private static DecisionLog log(String file) {
        try {
            List<String> lines = Files.readAllLines(Path.of(file));
            return named("--replay " + file, () -> DecisionLog.parse(lines));
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("--replay " + file + " does not exist", e);
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException("--replay " + file + " cannot be read: " + e, e);
        }
    }

    private static Privacy privacy(FederationConfig config) {
        return new Privacy(
                config.dpClip() == null ? Double.POSITIVE_INFINITY : config.dpClip(),
                config.dpNoise() == null ? 0 : config.dpNoise(),
                config.dpDelta() == null ? Privacy.DELTA : config.dpDelta());
    }

    /** ε of each run, in the order of the samplings; empty without noise. */
    public static List<OptionalDouble> epsilons(FederationConfig config) {
        return config.sampling().stream()
                .map(
                        sampling ->
                                federation(config, sampling)
                                        .epsilon(
                                                run(
                                                        config,
                                                        sampling,
                                                        new UnopenedModel(config.model()),
                                                        1)))
                .toList();
    }

    /** What is not the algorithm's own. */
    private static Training run(
            FederationConfig config, String sampling, Model model, int computeThreads) {
        return new TrainingBuilder(
                        runId(config, sampling),
                        config.dataset(),
                        model,
                        named("--aggregator", () -> Rules.parse(config.aggregator())),
                        config.devices(),
                        config.byzantine())
                .attack(
                        config.attack() == null || config.attack().equals("none")
                                ? null
                                : named("--attack", () -> Attacks.parse(config.attack())),
                        config.attackers() == null ? 0 : config.attackers())
                .partition(
                        config.mostSamples() != null
                                ? OwnData.ALL
                                : named("--partition", () -> Partition.parse(config.partition())))
                .oracle(
                        config.oracleBatch() == null
                                ? null
                                : new Oracle(null, config.oracleBatch()))
                .deadline(deadline(config))
                .least(virtual(config) || config.minDevices() == null ? 1 : config.minDevices())
                .roundTimeout(config.roundTimeout())
                .nonFinite(config.nonFinite())
                .batchSize(config.batchSize())
                .rounds(config.rounds())
                .evalInterval(config.evalInterval())
                .seed(config.seed())
                .computeThreads(computeThreads)
                .build();
    }

    /** Names a run by what determines its model, but for its length, as {@link Resolver} does. */
    private static String runId(FederationConfig config, String sampling) {
        Map<String, Object> values = FederationConfig.SETTINGS.write(config);
        values.remove("rounds");
        values.put("sampling", sampling);
        return Resolver.hash(values);
    }

    private static <T> T naming(Supplier<T> training) {
        try {
            return training.get();
        } catch (WrongTrainingException e) {
            throw new IllegalArgumentException(e.naming(FederationResolver::option), e);
        }
    }

    /** The option that sets a part of a training. */
    private static String option(String part) {
        return switch (part) {
            case "rule" -> "--aggregator";
            case "workers" -> "--devices";
            case "optimizer" -> "--server-step";
            case "plan" -> "--sampling";
            default -> "--" + SettingsTable.kebab(part);
        };
    }
}
