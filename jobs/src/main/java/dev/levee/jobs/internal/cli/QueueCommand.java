package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.view.Columns;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.jobs.internal.run.ReturnToRun;
import dev.levee.jobs.internal.run.ShellWords;
import dev.levee.k8s.flink.queue.QueueState.Phase;
import dev.levee.k8s.flink.queue.RunQueue;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Lists the runs in an allocator's queue. */
@Command(
        name = "queue",
        description = "List the runs queued with levee train --queue, and why each runs or waits.",
        footer = {"", "Exit status: 0 an allocator serves the queue, 1 none does, 2 wrong usage."})
final class QueueCommand extends CliCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description = "The --queue of an allocator (default: .levee/queue).")
    private String folder;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = out();
        RunQueue queue = RunQueue.in(folder == null ? LeveeHome.find().queue() : Path.of(folder));
        PrintWriter err = err();
        List<String> damaged = new ArrayList<>();
        List<RunQueue.Entry> entries = queue.entries(damaged::add);
        Optional<String> served = queue.served();
        damaged.forEach(err::println);
        if (entries.isEmpty() && damaged.isEmpty()) {
            out.println("No runs in the queue " + queue.folder() + ".");
        } else if (!entries.isEmpty()) {
            Columns.print(out, table(entries));
        }
        if (served.isEmpty()) {
            err.println("No allocator serves this queue; start one with levee allocate.");
        }
        return served.isPresent() ? 0 : 1;
    }

    private static List<List<String>> table(List<RunQueue.Entry> entries) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("place", "run", "job", "state", "past jobs", "why"));
        int place = 0;
        for (RunQueue.Entry each : entries) {
            Phase phase = each.state().phase();
            boolean ends = phase != Phase.ENDED && each.cancelled();
            boolean waits = phase == Phase.WAITING && !ends;
            place += waits ? 1 : 0;
            lines.add(
                    List.of(
                            waits ? String.valueOf(place) : "-",
                            ShellWords.shown(each.run().output()),
                            each.job(),
                            ends ? "canceled" : phase.name().toLowerCase(Locale.ROOT),
                            String.valueOf(each.state().generation()),
                            ends ? ReturnToRun.LEAVING : each.state().why()));
        }
        return lines;
    }
}
