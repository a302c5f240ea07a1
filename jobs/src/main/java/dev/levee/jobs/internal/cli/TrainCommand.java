package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.options.SettingsOptions;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.Resolver;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.run.RunPlan;
import dev.levee.jobs.internal.run.place.Roles;
import dev.levee.k8s.flink.queue.RunQueue;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Trains a model. */
@Command(
        name = "train",
        description = "Train a model that tolerates Byzantine workers, and write a report.",
        footer = {
            "",
            "All options except --detach, --queue and --overwrite can also be set in the "
                    + "--config file, as in \"workers: 11\"; the command line takes precedence.",
            "Ctrl-C detaches from a run on --target and ends a run in an embedded cluster; "
                    + "in both cases the command prints how to continue.",
            "Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted."
        },
        abbreviateSynopsis = true)
final class TrainCommand extends RunCommand {
    static final SettingsOptions OPTIONS =
            new SettingsOptions(List.of(RunConfig.SETTINGS, Deployment.SETTINGS));

    @Option(
            names = "--queue",
            arity = "0..1",
            paramLabel = "DIR",
            fallbackValue = "",
            description =
                    "Submit an elastic run to the allocator of --target, which starts it when"
                            + " there is room and may pause it. DIR is the allocator's --queue"
                            + " (default: .levee/queue).")
    private String queue;

    @Override
    RunQueue queue() {
        if (queue == null) {
            return null;
        }
        return RunQueue.in(queue.isEmpty() ? LeveeHome.find().queue() : Path.of(queue));
    }

    @Override
    SettingsOptions options() {
        return OPTIONS;
    }

    @Override
    Map<String, Object> resolved(Map<String, GivenSetting> given) {
        RunConfig run = RunConfig.SETTINGS.read(given);
        Deployment deployment = Deployment.SETTINGS.read(given);
        Resolver.check(run);
        deployment.check();
        Map<String, Object> values = new LinkedHashMap<>(RunConfig.SETTINGS.write(run));
        values.putAll(Deployment.SETTINGS.write(deployment));
        return values;
    }

    @Override
    RunPlan plan(Map<String, GivenSetting> given) {
        return RunPlan.of(
                RunConfig.SETTINGS.read(given),
                Deployment.SETTINGS.read(given),
                Runtime.getRuntime().availableProcessors(),
                Clock.systemDefaultZone());
    }

    @Override
    List<String> roles(Map<String, GivenSetting> given) {
        RunConfig run = RunConfig.SETTINGS.read(given);
        return run.topology() == null && run.servers() == null
                ? List.of()
                : Roles.of(plan(given).trainings());
    }
}
