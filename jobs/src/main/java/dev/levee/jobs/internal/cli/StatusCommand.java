package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.view.Columns;
import dev.levee.jobs.internal.run.LeftRun;

import picocli.CommandLine.Command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Shows the progress or the result of each job of a run. */
@Command(
        name = "status",
        description = "Show the progress or the result of each job of a run.",
        footer = {
            "",
            "Exit status: 0 every job is running or has results, 1 some job is neither, 2 "
                    + "wrong usage."
        })
final class StatusCommand extends LeftRunCommand {
    @Override
    public Integer call() throws IOException {
        List<LeftRun.State> states = find().status();
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("rule", "state", ""));
        states.forEach(each -> lines.add(List.of(each.rule(), each.state(), each.about())));
        Columns.print(line().getOut(), lines);
        return states.stream().allMatch(LeftRun.State::well) ? 0 : 1;
    }

    @Override
    int unwritten() {
        return 2; // status 1 is for a job that is gone
    }
}
