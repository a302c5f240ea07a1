package dev.levee.jobs.internal.cli;

import dev.levee.connectors.kafka.job.KafkaSetup;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.jobs.internal.cli.options.SettingsOptions;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.KafkaConfig;
import dev.levee.jobs.internal.config.MomentumSide;
import dev.levee.jobs.internal.config.Resolver;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.RunSettings;
import dev.levee.jobs.internal.config.TopologyKind;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.run.RunPlan;
import dev.levee.jobs.internal.run.place.WorkersOutside;
import dev.levee.operators.rounds.training.Training;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Serves a model to workers outside the job. */
@Command(
        name = "serve",
        description = "Train a model with workers in separate processes, over Kafka topics.",
        footer = {
            "",
            "Running the same command again continues from the newest published version. All"
                    + " options except --new, --detach and --overwrite can also be set in the --config"
                    + " file, as in \"workers: 11\"; the command line takes precedence.",
            "Ctrl-C detaches from a run on --target and ends a run in an embedded cluster; "
                    + "in both cases the command prints how to continue.",
            "Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted."
        },
        abbreviateSynopsis = true)
final class ServeCommand extends RunCommand {
    static final SettingsOptions OPTIONS =
            new SettingsOptions(
                    List.of(KafkaConfig.SETTINGS, RunSettings.SERVED, Deployment.SERVED));

    /** Settings that {@code --initial} makes unnecessary. */
    private static final List<String> REPLACED = List.of("model", "dataset", "loss");

    @Option(
            names = "--new",
            description = "Start a new run even if versions have been " + "published.")
    private boolean fresh;

    @Override
    SettingsOptions options() {
        return OPTIONS;
    }

    @Override
    Map<String, Object> resolved(Map<String, GivenSetting> given) {
        checkModel(given);
        KafkaConfig kafka = KafkaConfig.SETTINGS.read(given);
        RunConfig run = RunSettings.SERVED.read(given);
        Deployment deployment = Deployment.SERVED.read(given);
        check(kafka, run, deployment);
        Resolver.check(run);
        deployment.check();
        Map<String, Object> values = new LinkedHashMap<>(KafkaConfig.SETTINGS.write(kafka));
        values.putAll(RunSettings.SERVED.write(run));
        if (run.initial() != null) {
            REPLACED.forEach(values::remove);
        }
        values.putAll(Deployment.SERVED.write(deployment));
        return values;
    }

    @Override
    RunPlan plan(Map<String, GivenSetting> given) {
        checkModel(given);
        KafkaConfig kafka = KafkaConfig.SETTINGS.read(given);
        RunConfig run = RunSettings.SERVED.read(given);
        Deployment deployment = Deployment.SERVED.read(given);
        check(kafka, run, deployment);
        Clock clock = Clock.systemDefaultZone();
        RunPlan plan =
                RunPlan.of(run, deployment, Runtime.getRuntime().availableProcessors(), clock);
        Training training = plan.trainings().get(0);
        KafkaSetup.Request request =
                new KafkaSetup.Request(
                        training,
                        kafka.keys(run.workers(), training.topology().servers()),
                        fresh,
                        deployment.resume() != null,
                        kafka.whoEvaluates());
        return plan.with(
                new WorkersOutside(
                        KafkaSetup.of(
                                kafka.publisher(), kafka.topics(), kafka.plan(), request, clock)));
    }

    private static void checkModel(Map<String, GivenSetting> given) {
        for (String option : REPLACED) {
            if (given.containsKey("initial") && given.containsKey(option)) {
                throw new IllegalArgumentException(
                        "--initial and --%s exclude each other; give one of them"
                                .formatted(option));
            }
        }
    }

    private static void checkTopology(TopologyKind topology) {
        if (topology == TopologyKind.CRASH_TOLERANT) {
            throw new IllegalArgumentException(
                    "--topology crash-tolerant is for levee train: over Kafka, one job publishes"
                            + " the versions of all servers, and continues from the newest version"
                            + " after a crash, so there is nothing to fail over to");
        }
        if (topology == TopologyKind.DECENTRALISED) {
            throw new IllegalArgumentException(
                    "--topology decentralised is for levee train: each node is worker and server,"
                            + " but over Kafka all servers are inside the job and all workers are"
                            + " outside");
        }
    }

    private void check(KafkaConfig kafka, RunConfig run, Deployment deployment) {
        kafka.check();
        checkTopology(run.topology());
        if (run.momentumSide() == MomentumSide.WORKER && !run.usualMomentum()) {
            throw new IllegalArgumentException(
                    "--momentum needs --momentum-side server: workers use their own --momentum");
        }
        if (run.aggregator().size() > 1) {
            throw new IllegalArgumentException(
                    "--aggregator: levee serve takes one rule, got " + run.aggregator().size());
        }
        if (kafka.whoEvaluates().asked() && run.initial() == null) {
            throw new IllegalArgumentException(
                    "--evaluator %s is for a run with --initial; the job evaluates --model %s itself"
                            .formatted(
                                    KeyDirectory.name(kafka.whoEvaluates().worker()), run.model()));
        }
        if (kafka.whoEvaluates().asked() && run.servers() != null && run.servers() > 1) {
            throw new IllegalArgumentException(
                    "--evaluator %s is for a run of one server, got --servers %d"
                            .formatted(
                                    KeyDirectory.name(kafka.whoEvaluates().worker()),
                                    run.servers()));
        }
        if (fresh && deployment.resume() != null) {
            throw new IllegalArgumentException(
                    "--new and --resume exclude each other; give one of them");
        }
    }
}
