package dev.levee.jobs.internal.config.federated;

import static dev.levee.jobs.internal.config.setting.Values.named;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Partition;
import dev.levee.federated.Averaging;
import dev.levee.federated.Federation;
import dev.levee.federated.compression.Compression;
import dev.levee.federated.privacy.PrivacyLoss;
import dev.levee.federated.steps.Correction;
import dev.levee.federated.steps.LocalState;
import dev.levee.gar.Rules;
import dev.levee.jobs.internal.config.PartitionAmong;
import dev.levee.jobs.internal.config.Resolver;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.RunData;
import dev.levee.jobs.internal.config.UnopenedModel;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Creates federated runs from a configuration. The runs check themselves. */
public final class FederationResolver {
    private FederationResolver() {}

    /**
     * Checks the configuration as far as possible without opening the data.
     *
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public static void check(FederationConfig config) {
        Set<String> names = new HashSet<>();
        for (String sampling : config.devices().sampling()) {
            Federation federation = federation(config, sampling);
            if (!names.add(federation.participation().sampling().name())) {
                throw new IllegalArgumentException(
                        "--sampling %s is given twice"
                                .formatted(federation.participation().sampling().name()));
            }
            naming(
                    () -> {
                        federation.check(
                                run(config, sampling, new UnopenedModel(config.data().model()), 1));
                        return null;
                    });
        }
        boolean capable =
                config.devices().sampling().contains("capability")
                        || config.local().load() == LocalSettings.Load.CAPABILITY;
        if (!capable && !config.devices().capability().equals("equal")) {
            throw new IllegalArgumentException(
                    "--capability %s needs --sampling capability or --load capability"
                            .formatted(config.devices().capability()));
        }
    }

    /** Opens the data and returns the runs of a checked configuration, one for each sampling. */
    public static List<Training> trainings(FederationConfig config, int computeThreads) {
        return trainings(config, computeThreads, Models::open);
    }

    /** Like {@link #trainings(FederationConfig, int)}, with a function that opens the model. */
    public static List<Training> trainings(
            FederationConfig config, int computeThreads, Models.Opener models) {
        Dataset data = RunData.open(uri(config));
        if (!config.devices().own()) {
            String partition = config.data().partition();
            PartitionAmong.checkOwners(data, partition, config.devices().devices(), "--devices");
            RunData.checkClasses(data, partition, config.attack().attack());
        }
        Model model = config.data().open(data, models);
        return config.devices().sampling().stream()
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
     * Refuses settings that devices in processes of their own do not support.
     *
     * @throws IllegalArgumentException if such a setting is given; one sentence
     */
    public static void checkOutside(FederationConfig config) {
        if (config.devices().sampling().size() > 1) {
            throw new IllegalArgumentException(
                    "--sampling: a run over Kafka has one sampling, got "
                            + config.devices().sampling().size());
        }
        AggregationSettings aggregation = config.aggregation();
        inJob(aggregation.oracleBatch() != null, "aggregator", aggregation.aggregator());
        inJob(config.time().virtual(), "speed", config.time().speed());
        String replay = config.asynchrony().replay();
        inJob(replay != null, "replay", replay);
        ScopeSettings scope = config.scope();
        inJob(scope.swapping(), "swap-every", scope.swapEvery());
        inJob(scope.slices() != null, "slices", scope.slices());
        inJob(!scope.compression().equals(Compression.NONE), "compress", scope.compress());
        LocalSettings local = config.local();
        inJob(local.localState() == LocalState.AVERAGE, "local-state", "average");
        inJob(!local.corrects().equals(Correction.NONE), "correction", local.correction());
        inJob(!local.averages().equals(Averaging.PLAIN), "averaging", local.averaging());
        if (config.privacy().rated() && config.admission().deadline() == null) {
            throw new IllegalArgumentException(
                    "--secure-sum %s over Kafka needs --deadline, because the job cannot detect that an"
                                    .formatted(config.privacy().secureSum())
                            + " external device has left");
        }
        inJob(config.privacy().noisy(), "dp-noise", config.privacy().dpNoise());
        inJob(local.load() == LocalSettings.Load.CAPABILITY, "load", "capability");
        inJob(config.server().mixes() && !config.pacing().mixesOverKafka(), "server-step", "mix");
        String attack = config.attack().attack();
        if (attack != null) {
            throw new IllegalArgumentException(
                    ("--attack %s is for devices inside the job; over Kafka, use the --attack "
                                    + "option of levee device")
                            .formatted(attack));
        }
    }

    /**
     * Refuses settings that devices inside a job do not support.
     *
     * @throws IllegalArgumentException if such a setting is given; one sentence
     */
    public static void checkInside(FederationConfig config) {
        if (config.privacy().summed() && !config.privacy().rated()) {
            throw new IllegalArgumentException(
                    "--secure-sum inside the job needs rates, such as dropout=0.2,collude=0.1;"
                            + " without rates, it is for devices over Kafka and needs"
                            + " --bootstrap-servers");
        }
        if (config.time().wall() && config.asynchrony().replay() == null) {
            throw new IllegalArgumentException(
                    "--speed wall is for devices over Kafka: it needs --bootstrap-servers");
        }
    }

    private static void inJob(boolean wanted, String option, Object value) {
        if (wanted) {
            throw new IllegalArgumentException(
                    "--%s %s is for devices inside the job: leave --bootstrap-servers out"
                            .formatted(option, value));
        }
    }

    /**
     * Creates the training of a device that is a process of its own.
     *
     * @param config the settings that the job told the device; the algorithm they belong to does
     *     not matter
     * @param own the device's model and data
     * @param partition partition of the device's data
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    static Training outside(FederationConfig config, Training own, Partition partition) {
        return naming(
                () ->
                        federation(config, "uniform")
                                .outside(
                                        new TrainingBuilder(own)
                                                .workers(config.devices().devices())
                                                .partition(config.local().tested(partition))
                                                .batchSize(config.local().batchSize())
                                                .seed(config.length().seed())
                                                .build()));
    }

    private static Training made(FederationConfig config, String sampling, Training run) {
        Federation federation = federation(config, sampling);
        Training made =
                config.devices().own()
                        ? federation.ofOwnData(run, config.devices().mostSamples())
                        : federation.of(run);
        made.checkLength(made.model().layout().size());
        return made;
    }

    /**
     * Returns the settings that a run without devices would have, for code that stores and shows
     * results and ignores devices.
     */
    public static RunConfig run(FederationConfig config) {
        Map<String, GivenSetting> given = new HashMap<>();
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
        given.put("workers", given("devices", List.of(String.valueOf(config.devices().devices()))));
        given.put("attackers", given("attackers", List.of("0")));
        given.put(
                "aggregator",
                given(
                        "aggregator",
                        config.devices().sampling().stream()
                                .map(each -> config.aggregation().aggregator())
                                .toList()));
        return RunConfig.SETTINGS.read(given);
    }

    private static GivenSetting given(String option, List<String> texts) {
        return new GivenSetting(texts, "--" + option);
    }

    private static Federation federation(FederationConfig config, String sampling) {
        return new Federation(
                config.devices().participation(sampling, config.weighting()),
                config.local().training(config.length().rounds()),
                config.server().step(),
                naming(config.privacy()::privacy),
                config.pacing().timing(config),
                config.scope().scope(),
                config.local().averages(),
                config.scope().compression());
    }

    /** The ε of each run, in the order of the samplings; empty for runs without noise. */
    public static List<Optional<PrivacyLoss>> privacyLosses(FederationConfig config) {
        return config.devices().sampling().stream()
                .map(
                        sampling ->
                                federation(config, sampling)
                                        .privacyLoss(
                                                run(
                                                        config,
                                                        sampling,
                                                        new UnopenedModel(config.data().model()),
                                                        1)))
                .toList();
    }

    private static String uri(FederationConfig config) {
        return config.data().uri(config.devices().devices());
    }

    /** Creates the training without the algorithm's own parts. */
    private static Training run(
            FederationConfig config, String sampling, Model model, int computeThreads) {
        TrainingBuilder builder =
                new TrainingBuilder(
                                runId(config, sampling),
                                uri(config),
                                model,
                                named(
                                        "--aggregator",
                                        () -> Rules.parse(config.aggregation().aggregator())),
                                config.devices().devices(),
                                config.aggregation().byzantine())
                        .attack(config.attack().lie(), config.attack().count())
                        .partition(config.local().tested(config.data().dealing()))
                        .masking(naming(config.privacy()::privacy).masking())
                        .oracle(config.aggregation().oracle());
        return config.admission()
                .admit(builder, config.time().virtual())
                .batchSize(config.local().batchSize())
                .rounds(config.length().rounds())
                .evalInterval(config.length().evalInterval())
                .seed(config.length().seed())
                .computeThreads(computeThreads)
                .build();
    }

    /**
     * Names a run by the settings that determine its model, except its length, as {@link Resolver}
     * does.
     */
    private static String runId(FederationConfig config, String sampling) {
        Map<String, Object> values = FederationConfig.SETTINGS.write(config);
        values.remove("rounds");
        values.put("sampling", sampling);
        return Resolver.hash(values);
    }

    static <T> T naming(Supplier<T> training) {
        try {
            return training.get();
        } catch (WrongTrainingException e) {
            throw new IllegalArgumentException(e.naming(FederationResolver::option), e);
        }
    }

    /** The name of the option for a part of a training, for messages. */
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
