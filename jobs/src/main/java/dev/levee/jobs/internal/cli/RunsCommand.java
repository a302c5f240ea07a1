package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.view.Columns;
import dev.levee.jobs.internal.report.RunCatalog;
import dev.levee.jobs.internal.report.RunCatalog.Entry;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.jobs.internal.run.ShellWords;
import dev.levee.learners.Score;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Lists runs. */
@Command(name = "runs", description = "List the runs in a folder and its subfolders, newest last.")
final class RunsCommand extends CliCommand implements Callable<Integer> {
    private static final String DEFAULT = "levee-runs";
    private static final String NOTHING = "–";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneId.systemDefault());

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description = "Folder to search (default: levee-runs).")
    private String folder;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = out();
        String where = folder == null ? DEFAULT : folder;
        List<Entry> entries = entries(where);
        if (entries.isEmpty()) {
            out.println("There is no run in " + where + ".");
        } else {
            boolean classify =
                    entries.stream()
                            .flatMap(each -> each.summary().stream())
                            .allMatch(each -> each.told().equals(List.of(Score.ACCURACY)));
            List<List<String>> lines = new ArrayList<>();
            lines.add(
                    List.of(
                            "run",
                            "started",
                            "rule",
                            "model",
                            "data",
                            "attack",
                            "rounds",
                            classify ? "accuracy" : "score"));
            entries.forEach(each -> lines.add(line(each, classify)));
            Columns.print(out, lines);
        }
        return 0;
    }

    private List<Entry> entries(String where) throws IOException {
        try {
            return RunCatalog.below(where);
        } catch (FileNotFoundException e) {
            if (folder == null) {
                return List.of();
            }
            throw wrong(where + " does not exist");
        }
    }

    /**
     * Formats a run as a line of the table.
     *
     * @param classify true if all runs have an accuracy, so the cells need not name the score
     */
    private static List<String> line(Entry entry, boolean classify) {
        String date =
                entry.started().isEmpty() ? NOTHING : TIME.format(Instant.parse(entry.started()));
        if (entry.summary().isEmpty()) {
            return List.of(
                    shown(entry),
                    date,
                    entry.rule(),
                    NOTHING,
                    NOTHING,
                    NOTHING,
                    NOTHING,
                    entry.state());
        }
        Summary summary = entry.summary().get();
        return List.of(
                shown(entry),
                date,
                entry.rule(),
                option(summary, "model"),
                option(summary, "dataset"),
                option(summary, "attack"),
                String.valueOf(summary.roundsDone()),
                classify ? Numbers.percent(summary.finalAccuracy()) : summary.finalWords());
    }

    private static String option(Summary summary, String name) {
        Object value = summary.configuration().get(name);
        return value == null ? NOTHING : value.toString();
    }

    /** The run's path, relative to the working directory if it lies below it. */
    private static String shown(Entry entry) {
        String path = ShellWords.shown(entry.folder());
        Path here = Path.of("").toAbsolutePath();
        return path.startsWith(here + "/") ? path.substring(here.toString().length() + 1) : path;
    }
}
