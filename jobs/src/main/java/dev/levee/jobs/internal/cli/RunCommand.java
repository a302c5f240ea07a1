package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.options.SettingsOptions;
import dev.levee.jobs.internal.config.setting.ConfigFile;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.run.PlanRun;
import dev.levee.jobs.internal.run.QueuedPlan;
import dev.levee.jobs.internal.run.RunPlan;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.flink.queue.RunQueue;

import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** A command that runs a plan made of settings. */
abstract class RunCommand extends CliCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", description = "Read options from a YAML file.")
    private Path config;

    @Option(
            names = "--dry-run",
            description = "Print the resolved options as YAML, readable by --config, and exit.")
    private boolean dryRun;

    @Option(
            names = "--overwrite",
            description =
                    "Write to --output even if it contains other files or the results of "
                            + "another run.")
    private boolean overwrite;

    @Option(
            names = "--detach",
            description =
                    "Return once the jobs are submitted to --target; levee attach reattaches "
                            + "to them.")
    private boolean detach;

    /** The queue in which the run waits for an allocator; null if it is submitted at once. */
    RunQueue queue() {
        return null;
    }

    abstract SettingsOptions options();

    /**
     * Checks settings, and returns them with all defaults.
     *
     * @throws IllegalArgumentException if a setting is wrong; one sentence
     */
    abstract Map<String, Object> resolved(Map<String, GivenSetting> given);

    /**
     * Creates the plan that settings define.
     *
     * @throws IllegalArgumentException if a setting is wrong; one sentence
     */
    abstract RunPlan plan(Map<String, GivenSetting> given);

    /** The lines that a dry run prints about roles; empty if the run has one role only. */
    List<String> roles(Map<String, GivenSetting> given) {
        return List.of();
    }

    @Override
    public Integer call() throws Exception {
        RunPlan plan;
        try {
            if (dryRun) {
                out().print(ConfigFile.write(resolved(given())));
                roles(given()).forEach(err()::println);
                return 0;
            }
            plan = plan();
            plan.checkReach();
            if (detach) {
                plan.deployment().checkDetached();
            }
            if (queue() != null) {
                QueuedPlan.check(plan, queue(), detach);
            }
            plan.checkResume();
            plan.checkData();
            plan.checkMemory();
            plan.checkOutput(overwrite);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(line(), e.getMessage(), e);
        }
        List<String> arguments = line().getParseResult().originalArgs();
        new PlanRun(plan, new Terminal(line()), arguments, detach, queue()).run();
        return 0;
    }

    /** Checks the options as far as possible without opening the data. */
    final void checkOptions() {
        try {
            resolved(given());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(line(), e.getMessage(), e);
        }
    }

    /** Creates the plan that the options define, for callers that submit it by other means. */
    RunPlan plan() {
        return plan(given());
    }

    private Map<String, GivenSetting> given() {
        return options().given(spec, config);
    }
}
