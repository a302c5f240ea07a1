package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.options.SettingsOptions;
import dev.levee.jobs.internal.cli.view.Columns;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.report.study.StudyResults;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.jobs.internal.study.StudyRun;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Trains every cell of a grid. */
@Command(
        name = "study",
        description =
                "Train every combination of rules, attacks and other options, and write heat maps,"
                        + " curves and tables.",
        footer = {
            "",
            "The file has options of levee train, or of federate, without dashes. Each may have"
                    + " several values, as in \"attack: [sign-flip, little-is-enough]\"."
                    + " docs/how-to/studies.md describes studies.",
            "Exit status: 0 done, 1 failed, 2 wrong usage or study, 130 interrupted."
        },
        abbreviateSynopsis = true)
final class StudyCommand extends CliCommand implements Callable<Integer> {
    static final SettingsOptions OPTIONS = new SettingsOptions(List.of(Deployment.STUDY));

    @Parameters(
            paramLabel = "GRID",
            description = "YAML file of options with one or several values.")
    private Path grid;

    @Option(
            names = "--dry-run",
            description =
                    "Print the cells, those that would fail, and an estimate of the time, and"
                            + " exit.")
    private boolean dryRun;

    @Option(
            names = "--overwrite",
            description = "Write to --output even if it contains other files.")
    private boolean overwrite;

    @Option(
            names = "--detach",
            description =
                    "Return once the job is submitted to --target; levee attach writes the report.")
    private boolean detach;

    @Override
    public Integer call() throws Exception {
        StudyRun run;
        try {
            Deployment deployment = Deployment.STUDY.read(OPTIONS.given(spec, null));
            if (detach) {
                deployment.checkDetached();
            }
            List<String> arguments = spec.commandLine().getParent().getParseResult().originalArgs();
            run = StudyRun.of(grid, deployment, overwrite, dryRun, arguments);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        if (dryRun) {
            out().println(run.forecast());
            return 0;
        }
        Optional<StudyResults> results = run.run(new Terminal(line()), detach);
        results.ifPresent(all -> Columns.print(out(), all.lines()));
        boolean failed =
                results.isPresent()
                        && results.get().cells().stream().noneMatch(each -> each.complete());
        return failed ? 1 : 0;
    }
}
