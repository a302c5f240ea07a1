package dev.levee.jobs.internal.cli.view;

import com.fasterxml.jackson.databind.JsonNode;

import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints an estimate's summary as tables on a terminal. */
public final class EffectTable {
    private static final double SMALLEST = 1e-4;

    private final JsonNode summary;

    public EffectTable(JsonNode summary) {
        this.summary = summary;
    }

    public void print(PrintWriter out) {
        boolean joint = summary.path("jointCriticalValue").isNumber();
        double level = summary.path("configuration").path("level").asDouble();
        List<String> head =
                new ArrayList<>(
                        List.of(
                                "treatment",
                                "coefficient",
                                "std. error",
                                "t",
                                "p",
                                percent(level) + " interval"));
        if (joint) {
            head.add("joint interval");
        }
        List<List<String>> effects = new ArrayList<>(List.of(head));
        List<List<String>> bounds =
                new ArrayList<>(
                        List.of(
                                List.of(
                                        "omitted variable",
                                        "bounds",
                                        "with confidence",
                                        "robustness value",
                                        "with confidence")));
        List<List<String>> losses = new ArrayList<>();
        summary.path("treatments")
                .fields()
                .forEachRemaining(
                        each -> {
                            JsonNode effect = each.getValue();
                            effects.add(effect(each.getKey(), effect, joint));
                            if (effect.has("sensitivity")) {
                                bounds.add(bounds(each.getKey(), effect.path("sensitivity")));
                            }
                            losses.add(losses(each.getKey(), effect.path("nuisanceLosses")));
                        });
        Columns.print(out, effects);
        out.println();
        if (bounds.size() > 1) {
            Columns.print(out, bounds);
            out.println();
        }
        Columns.print(out, losses);
        out.println();
        out.printf(
                Locale.ROOT,
                "%,d fits took %s s in all. As calls of a function service:%n%n",
                summary.path("fits").asInt(),
                number(summary.path("fitSeconds").asDouble(), "%.1f"));
        Columns.print(out, costs());
    }

    private List<List<String>> costs() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("scaling", "tasks", "mean s", "longest s", "GB-seconds", "cost"));
        for (JsonNode each : summary.path("costs")) {
            lines.add(
                    List.of(
                            each.path("scaling").asText(),
                            String.format(Locale.ROOT, "%,d", each.path("tasks").asInt()),
                            number(each.path("meanSeconds"), "%.3f"),
                            number(each.path("longestSeconds"), "%.3f"),
                            number(each.path("gbSeconds"), "%.1f"),
                            number(each.path("cost"), "%.4f")));
        }
        return lines;
    }

    private static List<String> effect(String name, JsonNode effect, boolean joint) {
        JsonNode p = effect.path("p");
        List<String> line =
                new ArrayList<>(
                        List.of(
                                name,
                                number(effect.path("coefficient"), "%.6f"),
                                number(effect.path("standardError"), "%.6f"),
                                number(effect.path("t"), "%.3f"),
                                p.isNumber() && p.asDouble() < SMALLEST
                                        ? "<0.0001"
                                        : number(p, "%.4f"),
                                interval(effect, "lower", "upper")));
        if (joint) {
            line.add(interval(effect, "jointLower", "jointUpper"));
        }
        return line;
    }

    private static List<String> bounds(String name, JsonNode told) {
        return List.of(
                name,
                interval(told, "lower", "upper"),
                interval(told, "lowerLimit", "upperLimit"),
                number(100 * told.path("robustnessValue").asDouble(), "%.2f %%"),
                number(100 * told.path("robustnessValueWithConfidence").asDouble(), "%.2f %%"));
    }

    private static List<String> losses(String name, JsonNode losses) {
        List<String> words = new ArrayList<>();
        losses.fields()
                .forEachRemaining(
                        each -> words.add(each.getKey() + " " + number(each.getValue(), "%.4g")));
        return List.of(name, "loss of nuisance functions: " + String.join(", ", words));
    }

    private static String interval(JsonNode told, String lower, String upper) {
        return "[%s, %s]"
                .formatted(number(told.path(lower), "%.4f"), number(told.path(upper), "%.4f"));
    }

    /** Formats a share as a percentage with as few digits as it needs, such as 95 or 99.9 %. */
    private static String percent(double share) {
        return new BigDecimal(String.valueOf(share))
                        .movePointRight(2)
                        .stripTrailingZeros()
                        .toPlainString()
                + " %";
    }

    private static String number(JsonNode value, String format) {
        return value.isNumber() ? number(value.asDouble(), format) : "–";
    }

    private static String number(double value, String format) {
        return String.format(Locale.ROOT, format, value);
    }
}
