package dev.levee.jobs.internal.cli;

import dev.levee.connectors.kafka.job.KafkaSetup;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.KafkaConfig;
import dev.levee.jobs.internal.config.Resolver;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.RunSettings;
import dev.levee.jobs.internal.config.setting.Given;
import dev.levee.jobs.internal.run.RunPlan;
import dev.levee.jobs.internal.run.place.WorkersOutside;
import dev.levee.operators.rounds.training.Training;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Serves a model to workers outside. */
@Command(
        name = "serve",
        description =
                "Train a model with workers that are processes of their own: read their gradients"
                        + " from a Kafka topic, publish models on another.",
        footer = {
            "",
            "The same command goes on from the newest version published. Every option but --new,"
                    + " --detach and --overwrite"
                    + " can also be a line of the file given with --config, such as"
                    + " \"workers: 11\"; the command line wins.",
            "Ctrl-C leaves a run on --target there, and ends one in a cluster of its own; both ways"
                    + " it says how to go on.",
            "Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted."
        },
        abbreviateSynopsis = true,
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class ServeCommand extends RunCommand {
    static final SettingsOptions OPTIONS =
            new SettingsOptions(
                    List.of(KafkaConfig.SETTINGS, RunSettings.SERVED, Deployment.SERVED));

    /** What {@code --initial} takes the place of. */
    private static final List<String> REPLACED = List.of("model", "dataset", "loss");

    @Option(names = "--new", description = "Begin a new run, whatever has been published.")
    private boolean fresh;

    @Override
    SettingsOptions options() {
        return OPTIONS;
    }

    @Override
    Map<String, Object> resolved(Map<String, Given> given) {
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
    RunPlan plan(Map<String, Given> given) {
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

    private static void checkModel(Map<String, Given> given) {
        for (String option : REPLACED) {
            if (given.containsKey("initial") && given.containsKey(option)) {
                throw new IllegalArgumentException(
                        "--initial takes the place of --%s; give one of the two".formatted(option));
            }
        }
    }

    private void check(KafkaConfig kafka, RunConfig run, Deployment deployment) {
        kafka.check();
        if (run.aggregator().size() > 1) {
            throw new IllegalArgumentException(
                    "--aggregator: a server has one rule, got " + run.aggregator().size());
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
                    "--new begins a new run and --resume goes on with one; give one of the two");
        }
    }
}
