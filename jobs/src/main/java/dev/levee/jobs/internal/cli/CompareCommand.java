package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.view.Columns;
import dev.levee.jobs.internal.report.Comparison;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.page.ScoreColumns;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Compares runs side by side. */
@Command(name = "compare", description = "Compare runs: print a table and write a common report.")
final class CompareCommand extends CliCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "RUN",
            description =
                    "The --output of a run. All rules of a run are shown; RUN/RULE selects one.")
    private List<String> folders;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            defaultValue = "comparison.html",
            description = "Report file (default: ${DEFAULT-VALUE}).")
    private Path output;

    @Option(names = "--overwrite", description = "Replace --output if it exists.")
    private boolean overwrite;

    @Override
    public Integer call() throws IOException {
        Comparison comparison = checked(() -> Comparison.of(folders));
        if (Files.exists(output) && !overwrite) {
            throw wrong(
                    "--output "
                            + output
                            + " already exists: choose another file, or pass"
                            + " --overwrite");
        }
        Files.writeString(output, comparison.page());
        PrintWriter out = out();
        Columns.print(out, table(comparison));
        out.println("Report: " + output.toAbsolutePath().normalize());
        return 0;
    }

    private static List<List<String>> table(Comparison comparison) {
        List<String> options =
                comparison.differing().stream().filter(each -> !each.equals("aggregator")).toList();
        List<List<String>> lines = new ArrayList<>();
        ScoreColumns scores = ScoreColumns.of(comparison.runs());
        List<String> headings = new ArrayList<>(List.of("run", "rule"));
        headings.addAll(scores.headings());
        headings.add("final loss");
        headings.addAll(options);
        lines.add(headings);
        for (int i = 0; i < comparison.runs().size(); i++) {
            RunView run = comparison.runs().get(i);
            List<String> line = new ArrayList<>(List.of(comparison.names().get(i), run.rule()));
            line.addAll(scores.cells(run.summary()));
            line.add(Numbers.decimals(run.summary().finalLoss(), 3));
            options.forEach(option -> line.add(Comparison.text(run, option)));
            lines.add(line);
        }
        return lines;
    }
}
