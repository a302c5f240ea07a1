package dev.levee.jobs.internal.cli.view;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.featureextraction.compute.Features;
import dev.levee.featureextraction.split.Prediction;
import dev.levee.jobs.internal.finetune.ExtractionResult;
import dev.levee.jobs.internal.finetune.Extractions;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Prints the times of extractions beside the predicted times.
 *
 * @param folder the images
 * @param extractions the extractions
 */
public record ExtractionTable(PackedFolder folder, Extractions extractions) {
    private static final List<String> HEAD =
            List.of(
                    "split",
                    "seconds",
                    "ms/image",
                    "predicted",
                    "sent/image",
                    "stored/sent",
                    "store ms",
                    "decode ms",
                    "layers ms",
                    "client ms");

    /** Prints a line for each result, and compares the first two. */
    public void print(PrintWriter out) {
        List<ExtractionResult> results = extractions.results();
        List<List<String>> lines = new ArrayList<>();
        lines.add(HEAD);
        for (int i = 0; i < results.size(); i++) {
            lines.add(
                    line(
                            i == 0 && results.size() == 2,
                            results.get(i),
                            extractions.predictions().get(i)));
        }
        Columns.print(out, lines);
        if (results.size() == 2) {
            compare(out, results.get(0), results.get(1));
        }
    }

    private List<String> line(boolean baseline, ExtractionResult result, Prediction predicted) {
        Features features = result.features();
        // With several views, each image is extracted several times.
        int images = features.labels().length + features.bad().size();
        double stored = (double) folder.bytes() / folder.images() * images;
        return List.of(
                baseline ? "BASELINE" : cuts(result),
                decimals(result.seconds()),
                decimals(result.seconds() * 1e3 / images),
                decimals(predicted.seconds(extractions.conditions()) * 1e3),
                Long.toString(result.linkBytes() / images),
                decimals(stored / result.linkBytes()) + "×",
                decimals(features.storeNanos() / 1e6 / images),
                decimals(features.decodeNanos() / 1e6 / images),
                decimals(features.computeNanos() / 1e6 / images),
                decimals(features.clientNanos() / 1e6 / images));
    }

    /** The cuts of a result, in order. */
    private static String cuts(ExtractionResult result) {
        return result.cuts().stream()
                .map(cut -> cut.steps() == 0 ? "none" : Integer.toString(cut.layer()))
                .collect(Collectors.joining("→"));
    }

    private static void compare(PrintWriter out, ExtractionResult plain, ExtractionResult split) {
        out.printf(
                Locale.ROOT,
                "Compared with BASELINE: %.2f times as fast, 1/%.2f of the bytes; %s.%n",
                plain.seconds() / split.seconds(),
                (double) plain.linkBytes() / split.linkBytes(),
                difference(plain.features(), split.features()));
    }

    /** Compares features whose arrays may be of different numbers of images. */
    static String difference(Features plain, Features split) {
        if (!Arrays.equals(plain.labels(), split.labels())) {
            return "images are NOT the same";
        }
        boolean equal = true;
        double largest = 0;
        Iterator<float[]> parts = split.values().iterator();
        float[] part = new float[0];
        int at = 0;
        for (float[] values : plain.values()) {
            for (float value : values) {
                for (; at == part.length; at = 0) {
                    part = parts.next();
                }
                float other = part[at++];
                equal &= Float.compare(value, other) == 0;
                largest = Math.max(largest, Math.abs((double) value - other));
            }
        }
        return equal
                ? "features are equal bit for bit"
                : String.format(Locale.ROOT, "features differ by up to %.3g", largest);
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
