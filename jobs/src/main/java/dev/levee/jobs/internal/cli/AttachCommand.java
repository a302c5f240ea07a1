package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.run.follow.Terminal;

import picocli.CommandLine.Command;

/** Follows a detached run. */
@Command(
        name = "attach",
        description =
                "Reattach to a run on a cluster: follow it until it ends, then print its results.",
        footer = {
            "",
            "Ctrl-C detaches; the run continues.",
            "Exit status: 0 done, 1 failed, 2 wrong usage."
        })
final class AttachCommand extends LeftRunCommand {
    @Override
    public Integer call() throws Exception {
        find().attach(new Terminal(line()));
        return 0;
    }
}
