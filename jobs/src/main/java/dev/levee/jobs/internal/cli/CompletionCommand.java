package dev.levee.jobs.internal.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/** Prints what a shell completes commands with. */
@Command(
        name = "completion",
        description = "Print a script with which bash and zsh complete commands and options.",
        footer = {
            "",
            "In bash: source <(levee completion). In zsh the same, or from a file if compinit has not"
                    + " run. The line can stand in ~/.bashrc or ~/.zshrc."
        },
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(AutoComplete.bash("levee", spec.root().commandLine()));
        spec.commandLine().getOut().flush();
        return 0;
    }
}
