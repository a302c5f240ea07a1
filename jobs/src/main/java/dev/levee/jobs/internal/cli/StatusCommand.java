package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.view.Columns;
import dev.levee.jobs.internal.run.ReturnToRun;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Shows how far a run is. */
@Command(
        name = "status",
        description = "Show how far each job of a run is, or what it came to.",
        footer = {
            "",
            "Exit status: 0 every job runs or has left its results, 1 one does not and has not, 2"
                    + " wrong usage."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "RUN", description = "The --output of a run.")
    private String run;

    @Override
    public Integer call() throws IOException {
        List<ReturnToRun.State> states = find().status();
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("rule", "state", ""));
        states.forEach(each -> lines.add(List.of(each.rule(), each.state(), each.about())));
        Columns.print(spec.commandLine().getOut(), lines);
        spec.commandLine().getOut().flush();
        return states.stream().allMatch(ReturnToRun.State::well) ? 0 : 1;
    }

    private ReturnToRun find() throws IOException {
        try {
            return ReturnToRun.in(run);
        } catch (IllegalArgumentException e) {
            throw new WrongInputException(spec.commandLine(), e.getMessage());
        }
    }
}
