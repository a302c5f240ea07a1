package dev.levee.jobs.internal.cli;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.jobs.internal.cli.view.Columns;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Lists the formats of data sets, explains one, or describes a data set. */
@Command(
        name = "datasets",
        description = "List the data set formats, explain one, or describe a data set.")
final class DatasetsCommand extends CliCommand implements Callable<Integer> {
    private static final int MOST_CLASSES = 50;

    @Parameters(
            arity = "0..1",
            paramLabel = "FORMAT|URI",
            description =
                    "A format, such as csv, or a data set, such as csv:people.csv?label=city.")
    private String what;

    @Override
    public Integer call() {
        PrintWriter out = out();
        if (what == null) {
            List<List<String>> lines = new ArrayList<>();
            for (DatasetFormat format : Datasets.formats()) {
                lines.add(List.of(format.form(), format.summary()));
            }
            Columns.print(out, lines);
            out.println();
            out.println(
                    "levee datasets FORMAT prints the format's options, levee datasets "
                            + "URI the content of a data set.");
        } else if (what.contains(":")) {
            describe(out, what);
        } else {
            explain(out, format());
        }
        return 0;
    }

    private DatasetFormat format() {
        return Datasets.formats().stream()
                .filter(format -> format.name().equals(what))
                .findFirst()
                .orElseThrow(
                        () ->
                                misused(
                                        "unknown format "
                                                + what
                                                + ": there are "
                                                + Datasets.formats().stream()
                                                        .map(DatasetFormat::name)
                                                        .collect(Collectors.joining(", "))));
    }

    private static void explain(PrintWriter out, DatasetFormat format) {
        out.println(format.form() + "  " + format.summary());
        if (format.options().isEmpty()) {
            return;
        }
        out.println();
        for (DatasetOption option : format.options()) {
            out.println(
                    "?%s=  %s; default: %s"
                            .formatted(option.name(), option.values(), option.otherwise()));
            out.println("    " + option.meaning());
        }
    }

    private static void describe(PrintWriter out, String uri) {
        describe(out, "train", Datasets.open(uri, Split.TRAIN));
        Dataset heldOut = Datasets.validation(uri);
        if (heldOut != null) {
            describe(out, "validation", heldOut);
        }
        describe(out, "test", Datasets.open(uri, Split.TEST));
    }

    private static void describe(PrintWriter out, String part, Dataset data) {
        out.println(
                "%s: %d samples of shape %s, %s%s"
                        .formatted(
                                part,
                                data.size(),
                                Arrays.stream(data.shape())
                                        .mapToObj(Integer::toString)
                                        .collect(Collectors.joining("×")),
                                data.targets() > 0
                                        ? data.targets() + " targets"
                                        : data.classes() + " classes",
                                data.owners() > 0 ? ", " + data.owners() + " owners" : ""));
        if (data.targets() > 0) {
            Columns.print(out, targets(data));
            return;
        }
        int[] counts = new int[data.classes()];
        for (int i = 0; i < data.size(); i++) {
            counts[data.label(i)]++;
        }
        List<List<String>> lines = new ArrayList<>();
        for (int label = 0; label < Math.min(counts.length, MOST_CLASSES); label++) {
            lines.add(
                    List.of("  " + label, data.className(label), Integer.toString(counts[label])));
        }
        Columns.print(out, lines);
        if (counts.length > MOST_CLASSES) {
            out.println("  …");
        }
    }

    /** The name and range of each target column. */
    private static List<List<String>> targets(Dataset data) {
        float[] values = new float[data.targets()];
        float[] least = new float[values.length];
        float[] most = new float[values.length];
        Arrays.fill(least, Float.POSITIVE_INFINITY);
        Arrays.fill(most, Float.NEGATIVE_INFINITY);
        for (int i = 0; i < data.size(); i++) {
            data.readTargets(i, values, 0);
            for (int target = 0; target < values.length; target++) {
                least[target] = Math.min(least[target], values[target]);
                most[target] = Math.max(most[target], values[target]);
            }
        }
        List<List<String>> lines = new ArrayList<>();
        for (int target = 0; target < Math.min(values.length, MOST_CLASSES); target++) {
            lines.add(
                    List.of(
                            "  " + data.targetName(target),
                            "from " + least[target],
                            "to " + most[target]));
        }
        return lines;
    }
}
