package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.options.SettingsOptions;
import dev.levee.jobs.internal.cli.view.EffectTable;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.EstimateConfig;
import dev.levee.jobs.internal.config.setting.ConfigFile;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.estimate.EstimateRun;
import dev.levee.jobs.internal.run.follow.Terminal;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Estimates causal effects. */
@Command(
        name = "estimate",
        description = "Estimate causal effects by double machine learning.",
        footer = {
            "",
            "Example: levee estimate --data csv:bonus.csv --outcome inuidur1 --treatment tg"
                    + " --learner forest --repetitions 100",
            "Options can also be set in the --config file. docs/how-to/estimate.md describes "
                    + "models, scores and learners.",
            "Exit status: 0 done, 1 failed, 2 wrong usage or data, 130 interrupted."
        },
        abbreviateSynopsis = true)
final class EstimateCommand extends CliCommand implements Callable<Integer> {
    static final SettingsOptions OPTIONS =
            new SettingsOptions(List.of(EstimateConfig.SETTINGS, Deployment.ESTIMATE));

    @Option(names = "--config", paramLabel = "FILE", description = "Read options from a YAML file.")
    private Path config;

    @Option(
            names = "--dry-run",
            description =
                    "Print the resolved options as YAML, readable by --config, and " + "exit.")
    private boolean dryRun;

    @Option(
            names = "--overwrite",
            description = "Write to --output even if it contains other files or results.")
    private boolean overwrite;

    @Option(names = "--detach", description = "Return once the job is submitted to --target.")
    private boolean detach;

    @Override
    public Integer call() throws Exception {
        EstimateRun run;
        try {
            Map<String, GivenSetting> given = OPTIONS.given(spec, config);
            EstimateConfig settings = EstimateConfig.SETTINGS.read(given);
            Deployment deployment = Deployment.ESTIMATE.read(given);
            if (dryRun) {
                Map<String, Object> resolved = EstimateRun.resolved(settings, deployment);
                out().print(ConfigFile.write(resolved));
                return 0;
            }
            if (detach) {
                deployment.checkDetached();
            }
            List<String> arguments = line().getParent().getParseResult().originalArgs();
            run = EstimateRun.of(settings, deployment, overwrite, arguments);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        run.run(new Terminal(line()), detach)
                .ifPresent(summary -> new EffectTable(summary).print(out()));
        return 0;
    }
}
