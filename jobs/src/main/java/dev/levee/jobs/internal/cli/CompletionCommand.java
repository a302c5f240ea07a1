package dev.levee.jobs.internal.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;

import java.util.concurrent.Callable;

/** Prints the script with which a shell completes commands. */
@Command(
        name = "completion",
        description = "Print a completion script for bash and zsh.",
        footer = {
            "",
            "In bash and zsh: source <(levee completion). In zsh without compinit, source it "
                    + "from a file. The line can be added to ~/.bashrc or ~/.zshrc."
        })
final class CompletionCommand extends CliCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        out().print(AutoComplete.bash("levee", spec.root().commandLine()));
        return 0;
    }
}
