package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.config.ConfigFile;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.Given;
import dev.levee.jobs.internal.config.Resolver;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.run.RunPlan;
import dev.levee.jobs.internal.run.Terminal;
import dev.levee.jobs.internal.run.TrainRun;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Trains a model. */
@Command(
        name = "train",
        description = "Train a model with workers some of whom lie, and write a report about it.",
        footer = {
            "",
            "Every option can also be a line of the file given with --config, such as"
                    + " \"workers: 11\"; the command line wins.",
            "Exit status: 0 done, 1 failed, 2 wrong usage."
        },
        abbreviateSynopsis = true,
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class TrainCommand implements Callable<Integer> {
    static final SettingsOptions OPTIONS =
            new SettingsOptions(List.of(RunConfig.SETTINGS, Deployment.SETTINGS));

    @Spec private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = "Read options from a YAML file.")
    private Path config;

    @Option(
            names = "--dry-run",
            description = "Print the resolved options as YAML that --config reads, and stop.")
    private boolean dryRun;

    @Override
    public Integer call() throws Exception {
        RunPlan plan;
        try {
            Map<String, Given> given = OPTIONS.given(spec, config);
            RunConfig run = RunConfig.SETTINGS.read(given);
            Deployment deployment = Deployment.SETTINGS.read(given);
            if (dryRun) {
                Resolver.check(run);
                deployment.check();
                print(run, deployment);
                return 0;
            }
            plan = plan(run, deployment);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        List<String> arguments = spec.commandLine().getParseResult().originalArgs();
        new TrainRun(plan, new Terminal(spec.commandLine()), arguments).run();
        return 0;
    }

    /** What the options of this command mean, for whoever submits by other means. */
    RunPlan plan() {
        Map<String, Given> given = OPTIONS.given(spec, config);
        return plan(RunConfig.SETTINGS.read(given), Deployment.SETTINGS.read(given));
    }

    private static RunPlan plan(RunConfig run, Deployment deployment) {
        return RunPlan.of(
                run,
                deployment,
                Runtime.getRuntime().availableProcessors(),
                Clock.systemDefaultZone());
    }

    private void print(RunConfig run, Deployment deployment) {
        Map<String, Object> values = new LinkedHashMap<>(RunConfig.SETTINGS.write(run));
        values.putAll(Deployment.SETTINGS.write(deployment));
        spec.commandLine().getOut().print(ConfigFile.write(values));
        spec.commandLine().getOut().flush();
    }
}
