package dev.levee.jobs.internal.cli.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.featureextraction.split.Bandwidth;
import dev.levee.featureextraction.split.ComputeTimes;
import dev.levee.featureextraction.split.Prediction;
import dev.levee.featureextraction.split.Profile;
import dev.levee.featureextraction.split.SplitRule;
import dev.levee.jobs.internal.report.forecast.ProfileReport;
import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.LayerSummary;
import dev.levee.learners.layers.LayeredNetwork;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Shows the profile of a network to people and to programs.
 *
 * @param profile the cost of the layers
 * @param rule the rule that chose the cuts
 * @param batch images of a training step
 * @param choices one choice for each bandwidth
 */
public record ProfileView(Profile profile, SplitRule rule, int batch, List<Choice> choices) {
    private static final String STORED = "a stored image";

    /**
     * The choice for a bandwidth.
     *
     * @param bandwidth the bandwidth of the link
     * @param chosen the prediction for the chosen cut
     * @param all the predictions for all cuts; the first is without a split
     */
    public record Choice(Bandwidth bandwidth, Prediction chosen, List<Prediction> all) {
        public Choice {
            all = List.copyOf(all);
        }

        /** The prediction without a split: everything is sent as images. */
        Prediction unsplit() {
            return all.get(0);
        }
    }

    /** Returns a page with charts of bytes and times of all cuts. */
    public String html() {
        int[] layers = profile.cuts().stream().mapToInt(cut -> cut.layer() + 1).toArray();
        double[] bytes = profile.cuts().stream().mapToDouble(profile::linkBytes).toArray();
        double[] stored = new double[bytes.length];
        Arrays.fill(stored, profile.imageBytes());
        List<ProfileReport.Line> times = new ArrayList<>();
        for (Choice choice : choices) {
            Cut cut = choice.chosen().cut();
            String name =
                    choice.bandwidth().text()
                            + "bit/s, "
                            + (cut.steps() == 0 ? "no split" : "cut behind layer " + split(cut));
            double[] millis =
                    choice.all().stream().mapToDouble(each -> each.seconds() * 1e3).toArray();
            times.add(new ProfileReport.Line(name, layers, millis));
        }
        return ProfileReport.page(
                profile.network().name(),
                "%d×%d pixels, frozen up to layer %d. With no layer before the cut, stored images cross the link unchanged."
                        .formatted(
                                profile.network().shape()[1],
                                profile.network().shape()[2],
                                profile.freeze()),
                List.of(
                        new ProfileReport.Line("at the cut", layers, bytes),
                        new ProfileReport.Line(STORED, layers, stored)),
                profile.measured().isPresent() ? times : List.of());
    }

    /** Returns a JSON object: settings, layers, and {@code choices}. */
    public String json() throws JsonProcessingException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("network", profile.network().name());
        all.put("imageSize", profile.network().shape()[1]);
        all.put("imageBytes", number(profile.imageBytes()));
        all.put("batchSize", batch);
        all.put("freeze", profile.freeze());
        all.put("splitRule", rule.label());
        profile.measured().ifPresent(times -> all.put("decodeMillis", times.decode() * 1e3));
        List<Object> layers = new ArrayList<>();
        for (LayerSummary layer : profile.network().layers()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("layer", layer.index());
            line.put("name", layer.name());
            line.put("kind", layer.kind());
            line.put("shape", layer.shape());
            line.put("bytesPerImage", layer.bytes());
            line.put("parameters", layer.parameters());
            line.put("memoryPerImage", memory(layer.index()));
            profile.measured().ifPresent(times -> line.put("millis", millis(times, layer.index())));
            line.put("candidate", candidate(layer));
            layers.add(line);
        }
        all.put("layers", layers);
        all.put("choices", choices.stream().map(this::json).toList());
        return new ObjectMapper().writeValueAsString(all);
    }

    private Map<String, Object> json(Choice choice) {
        Map<String, Object> line = new LinkedHashMap<>();
        Prediction chosen = choice.chosen();
        line.put("bandwidth", choice.bandwidth().text());
        line.put("bitsPerSecond", number(choice.bandwidth().bitsPerSecond()));
        line.put("split", split(chosen.cut()));
        line.put("pushedDown", pushed(chosen.cut()));
        line.put("bytesPerImage", number(chosen.bytes()));
        line.put("linkMillis", chosen.link() * 1e3);
        if (profile.measured().isPresent()) {
            line.put("storageMillis", chosen.storage() * 1e3);
            line.put("clientMillis", chosen.client() * 1e3);
            line.put("millis", chosen.seconds() * 1e3);
            line.put("unsplitMillis", choice.unsplit().seconds() * 1e3);
        }
        return line;
    }

    /** Prints the tables of layers and of choices. */
    public void print(PrintWriter out) {
        LayeredNetwork network = profile.network();
        out.printf(
                Locale.ROOT,
                "%s at %d×%d: stored image %s bytes, frozen up to layer %d, batch %d%n%n",
                network.name(),
                network.shape()[1],
                network.shape()[2],
                plain(profile.imageBytes()),
                profile.freeze(),
                batch);
        List<List<String>> lines = new ArrayList<>();
        lines.add(
                line(
                        List.of("layer", "name", "kind", "output", "bytes/image"),
                        List.of("ms/image"),
                        List.of("parameters", "memory/image", "")));
        profile.measured()
                .ifPresent(
                        times ->
                                lines.add(
                                        line(
                                                List.of(
                                                        "",
                                                        "",
                                                        "decode",
                                                        shape(network.shape()),
                                                        ""),
                                                List.of(millisText(times.decode() * 1e3)),
                                                List.of("", "", ""))));
        for (LayerSummary layer : network.layers()) {
            lines.add(
                    line(
                            List.of(
                                    Integer.toString(layer.index()),
                                    layer.name(),
                                    layer.kind(),
                                    shape(layer.shape()),
                                    Long.toString(layer.bytes())),
                            profile.measured()
                                    .map(times -> List.of(millisText(millis(times, layer.index()))))
                                    .orElse(List.of()),
                            List.of(
                                    Long.toString(layer.parameters()),
                                    Long.toString(memory(layer.index())),
                                    mark(layer))));
        }
        Columns.print(out, lines);
        out.println();
        printChoices(out);
    }

    private void printChoices(PrintWriter out) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(
                line(
                        List.of("bandwidth", "split", "bytes/image", "fewer", "link ms"),
                        List.of("store ms", "client ms", "ms/image", "unsplit ms"),
                        List.of("")));
        for (Choice choice : choices) {
            Prediction chosen = choice.chosen();
            lines.add(
                    line(
                            List.of(
                                    choice.bandwidth().text(),
                                    Integer.toString(split(chosen.cut())),
                                    plain(chosen.bytes()),
                                    String.format(
                                            Locale.ROOT,
                                            "%.2f×",
                                            profile.imageBytes() / chosen.bytes()),
                                    millisText(chosen.link() * 1e3)),
                            List.of(
                                    millisText(chosen.storage() * 1e3),
                                    millisText(chosen.client() * 1e3),
                                    millisText(chosen.seconds() * 1e3),
                                    millisText(choice.unsplit().seconds() * 1e3)),
                            List.of(pushed(chosen.cut()) ? "pushed down" : "")));
        }
        Columns.print(out, lines);
        out.println();
        out.println(
                profile.measured().isPresent()
                        ? "Times are per image; link, store and client work at the same time, so"
                                + " the slowest counts."
                        : "Computing times are measured for --split-rule cost only.");
    }

    /** Joins the cells of a line; the middle cells are left out if no times were measured. */
    private List<String> line(List<String> before, List<String> timed, List<String> after) {
        return Stream.of(before, profile.measured().isPresent() ? timed : List.<String>of(), after)
                .flatMap(List::stream)
                .toList();
    }

    /**
     * The layer of a cut. A cut behind the frozen layers counts as the last frozen layer, pushed
     * down.
     */
    private int split(Cut cut) {
        return Math.min(cut.layer(), profile.freeze());
    }

    private boolean pushed(Cut cut) {
        return cut.steps() > profile.network().after(profile.freeze()).steps();
    }

    private boolean candidate(LayerSummary layer) {
        return layer.index() <= profile.freeze() && layer.bytes() < profile.imageBytes();
    }

    private String mark(LayerSummary layer) {
        String mark = candidate(layer) ? "candidate" : "";
        return layer.index() == profile.freeze() ? (mark + " freeze").strip() : mark;
    }

    /** Bytes of a layer's input and output, which are in memory at the same time. */
    private long memory(int layer) {
        LayeredNetwork network = profile.network();
        return network.bytes(network.after(layer - 1)) + network.bytes(network.after(layer));
    }

    private double millis(ComputeTimes times, int layer) {
        LayeredNetwork network = profile.network();
        return Arrays.stream(
                                times.steps(),
                                network.after(layer - 1).steps(),
                                network.after(layer).steps())
                        .sum()
                * 1e3;
    }

    private static String shape(int[] shape) {
        return Arrays.stream(shape).mapToObj(Integer::toString).collect(Collectors.joining("×"));
    }

    private static String millisText(double millis) {
        return String.format(Locale.ROOT, "%.3f", millis);
    }

    /** Formats a number, without a fraction if it is whole. */
    public static String plain(double value) {
        return number(value).toString();
    }

    private static Number number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return (long) value;
        }
        return value;
    }
}
