package dev.levee.jobs.internal.report.page;

import dev.levee.federated.images.ImageScore;
import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.LineChart;
import dev.levee.jobs.internal.report.markup.LineChart.Series;
import dev.levee.jobs.internal.report.markup.Markup;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.summary.ImagesSummary;
import dev.levee.learners.layers.FeatureClassifier;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Collectors;

/** The sections about runs that train a generator: images by round, and their scores. */
final class ImagesSections extends Markup {
    private final List<RunView> runs;

    private ImagesSections(List<RunView> runs) {
        this.runs = runs;
    }

    /** True if a run generated images. */
    static boolean has(RunView run) {
        return run.federated() != null && run.federated().images() != null;
    }

    /** Returns the sections as HTML. */
    static String of(List<RunView> runs) {
        return new ImagesSections(runs.stream().filter(ImagesSections::has).toList()).sections();
    }

    private String sections() {
        table();
        runs.forEach(this::pictures);
        ImagesSummary any = runs.get(0).federated().images();
        add("<div class=\"grid\">");
        chart("Fréchet distance", "rounds", this::rounds, this::frechet, false);
        chart("Share of classes covered", "rounds", this::rounds, this::share, true);
        chart("Fréchet distance by bytes moved", "MB", this::megabytes, this::frechet, false);
        chart("Fréchet distance by time", "s", this::seconds, this::frechet, false);
        add("</div>");
        String networks =
                runs.stream()
                        .map(run -> run.federated().images().network())
                        .distinct()
                        .collect(Collectors.joining(", "));
        add(
                "<p class=\"note\">Distances are those of the features of %s; they compare with no"
                        + " distance by another network%s. Each is of %d images. A class is covered if"
                        + " at least %s of an equal share of the images is taken for it by %s, a"
                        + " network trained on this data set's training samples, which classifies %s of"
                        + " its test samples correctly.</p>",
                Html.escape(networks),
                networks.equals(FeatureClassifier.NAME) ? ", such as FID" : "",
                any.samples(),
                Numbers.percent(ImageScore.PART),
                FeatureClassifier.NAME,
                Numbers.percent(any.networkAccuracy()));
        return text();
    }

    private void table() {
        add(
                "<section>%s",
                Html.table(
                        List.of(
                                "Sampling",
                                "Fréchet distance",
                                "Smallest of all rounds",
                                "Classes covered",
                                "Rounds/s")));
        for (int i = 0; i < runs.size(); i++) {
            ImagesSummary images = runs.get(i).federated().images();
            add(
                    "<tr><th scope=\"row\"><i style=\"background:%s\"></i>%s</th>"
                            + "<td class=\"big\">%s</td><td>%s</td><td>%s</td><td>%s</td></tr>",
                    Html.color(i),
                    Html.escape(runs.get(i).rule()),
                    Numbers.decimals(images.lastFrechet(), 2),
                    Numbers.decimals(images.bestFrechet(), 2),
                    Numbers.percent(images.lastCoverage()),
                    Numbers.decimals(runs.get(i).summary().roundsPerSecond(), 2));
        }
        add("%s</section>", Html.TABLE_END);
    }

    private void pictures(RunView run) {
        add("<section><h2>What the generator makes, %s</h2>", Html.escape(run.rule()));
        add("<div style=\"display:flex;flex-wrap:wrap;gap:14px\">");
        for (Map.Entry<Long, byte[]> picture : run.pictures().entrySet()) {
            add(
                    "<figure style=\"margin:0\"><img"
                            + " style=\"width:242px;image-rendering:pixelated\" alt=\"images after %d"
                            + " rounds\" src=\"data:image/png;base64,%s\"><figcaption>after %d"
                            + " rounds</figcaption></figure>",
                    picture.getKey(),
                    Base64.getEncoder().encodeToString(picture.getValue()),
                    picture.getKey());
        }
        add("</div><p class=\"note\">The same noise in each picture.</p></section>");
    }

    private void chart(
            String title,
            String unit,
            ToDoubleBiFunction<RunView, Integer> across,
            ToDoubleBiFunction<RunView, Integer> value,
            boolean percent) {
        List<Series> lines = new ArrayList<>();
        add("<section><h2>%s</h2><div class=\"key\">", title);
        for (int i = 0; i < runs.size(); i++) {
            lines.add(series(runs.get(i), Html.color(i), across, value));
            add(
                    "<span><i style=\"background:%s\"></i>%s</span>",
                    Html.color(i), Html.escape(runs.get(i).rule()));
        }
        add("</div>%s</section>", LineChart.draw(title, lines, percent, unit));
    }

    private static Series series(
            RunView run,
            String color,
            ToDoubleBiFunction<RunView, Integer> across,
            ToDoubleBiFunction<RunView, Integer> value) {
        List<double[]> points = new ArrayList<>();
        for (int i = 0; i < run.federated().images().rounds().size(); i++) {
            double[] point = {across.applyAsDouble(run, i), value.applyAsDouble(run, i)};
            if (!Double.isNaN(point[0]) && !Double.isNaN(point[1])) {
                points.add(point);
            }
        }
        return new Series(
                Html.escape(run.rule()),
                color,
                points.stream().mapToDouble(point -> point[0]).toArray(),
                points.stream().mapToDouble(point -> point[1]).toArray());
    }

    private double rounds(RunView run, int index) {
        return run.federated().images().rounds().get(index);
    }

    private double frechet(RunView run, int index) {
        return ImagesSummary.number(run.federated().images().frechet().get(index));
    }

    private double share(RunView run, int index) {
        return run.federated().images().coverage().get(index);
    }

    /** Megabytes moved until a scored round. */
    private double megabytes(RunView run, int index) {
        List<Long> moved = run.federated().bytesMoved();
        int row = row(run, index) - (run.points().size() - moved.size());
        return row < 0 ? 0 : moved.get(row) / 1e6;
    }

    private double seconds(RunView run, int index) {
        return run.points().get(row(run, index)).seconds();
    }

    /** The row in metrics.csv of a scored round, or the last row before it. */
    private static int row(RunView run, int index) {
        long round = run.federated().images().rounds().get(index);
        int row = 0;
        while (row + 1 < run.points().size() && run.points().get(row + 1).version() <= round) {
            row++;
        }
        return row;
    }
}
