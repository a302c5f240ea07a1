package dev.levee.jobs.internal.report.estimate;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.ValuesTable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws charts of effects as inline SVG, each with a table of its values: intervals and histograms.
 */
final class EffectCharts {
    private static final int WIDTH = 460;
    private static final int HEIGHT = 270;
    private static final int LEFT = 58;
    private static final int RIGHT = 12;
    private static final int TOP = 12;
    private static final int BOTTOM = 38;

    /**
     * The counts of a histogram.
     *
     * @param name its title
     * @param color CSS color
     * @param counts from the lowest bin to the highest
     */
    record Bars(String name, String color, int[] counts) {}

    private final StringBuilder svg = new StringBuilder();
    private final double left;
    private final double right;
    private final double low;
    private final double high;

    private EffectCharts(double left, double right, double low, double high) {
        this.left = left;
        this.right = right;
        double room = high > low ? 0 : Math.max(Math.abs(low), 1) / 10;
        this.low = low - room;
        this.high = high + room;
    }

    /**
     * Draws the estimate and interval of each repetition, and a line at the median.
     *
     * @param label description for screen readers
     * @param median median of the estimates
     */
    static String intervals(
            String label, double[] estimates, double[] lower, double[] upper, double median) {
        double low = 0; // the axis includes zero, because readers check whether intervals do
        double high = 0;
        for (int i = 0; i < estimates.length; i++) {
            low = Math.min(low, lower[i]);
            high = Math.max(high, upper[i]);
        }
        int count = estimates.length;
        EffectCharts chart = new EffectCharts(0, count + 1, low, high);
        chart.begin(
                label,
                "%s: median %s; %d repetitions from %s to %s."
                        .formatted(
                                label,
                                number(median),
                                count,
                                number(least(estimates)),
                                number(-least(negative(estimates)))));
        chart.verticalAxis();
        double step = Math.max(1, step(count));
        for (double tick = step; tick <= count; tick += step) {
            chart.tick(tick, number(tick));
        }
        chart.caption("repetition");
        chart.horizontal(0, "var(--soft)", "");
        chart.horizontal(median, Html.color(1), " stroke-dasharray=\"5 4\"");
        double radius = count <= 60 ? 2.6 : 1.5;
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chart.add(
                    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                            + " stroke-opacity=\"0.45\"/>",
                    chart.x(i + 1),
                    chart.x(i + 1),
                    chart.y(lower[i]),
                    chart.y(upper[i]),
                    Html.color(0));
            chart.add(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"><title>repetition %d:"
                            + " %s (%s to %s)</title></circle>",
                    chart.x(i + 1),
                    chart.y(estimates[i]),
                    radius,
                    Html.color(0),
                    i + 1,
                    number(estimates[i]),
                    number(lower[i]),
                    number(upper[i]));
            rows.add(
                    List.of(
                            String.valueOf(i + 1),
                            number(estimates[i]),
                            number(lower[i]),
                            number(upper[i])));
        }
        return chart.end()
                + ValuesTable.of(label, List.of("repetition", "estimate", "from", "to"), rows);
    }

    /**
     * Draws histograms over the same bins, side by side.
     *
     * @param from lower end of the first bin
     * @param to upper end of the last bin
     * @param unit unit of the counts
     */
    static String histogram(
            String label, List<Bars> histograms, double from, double to, String unit) {
        int most = 1;
        StringBuilder words = new StringBuilder();
        for (Bars each : histograms) {
            int total = 0;
            for (int count : each.counts()) {
                most = Math.max(most, count);
                total += count;
            }
            words.append(" %s: %d observations.".formatted(each.name(), total));
        }
        EffectCharts chart = new EffectCharts(from, to, 0, most);
        chart.begin(label, label + "." + words);
        chart.verticalAxis();
        double step = step(to - from);
        for (double tick = Math.ceil(from / step) * step; tick <= to + step / 1e6; tick += step) {
            chart.tick(tick, number(tick));
        }
        chart.caption(unit);
        int bins = histograms.get(0).counts().length;
        double width = (chart.x(to) - chart.x(from)) / bins;
        double bar = (width - 1) / histograms.size();
        for (int h = 0; h < histograms.size(); h++) {
            Bars each = histograms.get(h);
            for (int bin = 0; bin < bins; bin++) {
                double top = chart.y(each.counts()[bin]);
                if (each.counts()[bin] > 0) {
                    chart.add(
                            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\""
                                    + " fill=\"%s\"><title>%s, %s: %d</title></rect>",
                            chart.x(from) + bin * width + h * bar,
                            top,
                            Math.max(1, bar),
                            chart.y(0) - top,
                            each.color(),
                            each.name(),
                            range(from, to, bins, bin),
                            each.counts()[bin]);
                }
            }
        }
        return chart.end() + counts(label, histograms, from, to, unit);
    }

    private static String counts(
            String label, List<Bars> histograms, double from, double to, String unit) {
        List<String> headings = new ArrayList<>(List.of(unit));
        histograms.forEach(each -> headings.add(each.name()));
        int bins = histograms.get(0).counts().length;
        List<List<String>> rows = new ArrayList<>();
        for (int bin = 0; bin < bins; bin++) {
            List<String> row = new ArrayList<>(List.of(range(from, to, bins, bin)));
            for (Bars each : histograms) {
                row.add(String.valueOf(each.counts()[bin]));
            }
            rows.add(row);
        }
        return ValuesTable.of(label, headings, rows);
    }

    private static String range(double from, double to, int bins, int bin) {
        double width = (to - from) / bins;
        return number(from + bin * width) + " to " + number(from + (bin + 1) * width);
    }

    private static double least(double[] values) {
        double least = Double.POSITIVE_INFINITY;
        for (double each : values) {
            least = Math.min(least, each);
        }
        return least;
    }

    private static double[] negative(double[] values) {
        double[] negative = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            negative[i] = -values[i];
        }
        return negative;
    }

    private void begin(String label, String description) {
        add(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\"><desc>%s</desc>",
                WIDTH, HEIGHT, label, description);
    }

    private String end() {
        return svg.append("</svg>").toString();
    }

    private void verticalAxis() {
        double step = step(high - low);
        for (double value = Math.ceil(low / step) * step; value <= high; value += step) {
            add(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>",
                    LEFT, WIDTH - RIGHT, y(value), y(value));
            add(
                    "<text x=\"%d\" y=\"%.1f\" class=\"tick\" text-anchor=\"end\">%s</text>",
                    LEFT - 6, y(value) + 4, number(Math.abs(value) < step / 2 ? 0 : value));
        }
    }

    private void tick(double value, String text) {
        add(
                "<text x=\"%.1f\" y=\"%d\" class=\"tick\" text-anchor=\"middle\">%s</text>",
                x(value), HEIGHT - BOTTOM + 16, text);
    }

    private void caption(String text) {
        add(
                "<text x=\"%d\" y=\"%d\" class=\"tick\" text-anchor=\"end\">%s</text>",
                WIDTH - RIGHT, HEIGHT - 6, text);
    }

    private void horizontal(double value, String color, String more) {
        add(
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"%s/>",
                LEFT, WIDTH - RIGHT, y(value), y(value), color, more);
    }

    private double x(double value) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - left) / (right - left);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low);
    }

    /** A round step that divides an axis of this length into four to eight parts. */
    private static double step(double length) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(length, 1e-300))));
        double leading = length / power;
        return power * (leading > 5 ? 1 : leading > 2 ? 0.5 : 0.2);
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.4g", value);
        return text.contains("e")
                ? text
                : text.replaceFirst("(\\.\\d*?)0+$", "$1").replaceFirst("\\.$", "");
    }

    private void add(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments));
    }
}
