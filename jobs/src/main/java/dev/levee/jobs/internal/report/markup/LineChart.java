package dev.levee.jobs.internal.report.markup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** Draws a line chart as inline SVG with a table. Values are shown on hovering. */
public final class LineChart extends Markup {
    private static final int WIDTH = 460;
    private static final int HEIGHT = 270;
    private static final int LEFT = 46;
    private static final int RIGHT = 12;
    private static final int TOP = 12;
    private static final int BOTTOM = 38;
    private static final int MARKED_POINTS = 60;

    /** Characters that fit to the left of the chart. */
    private static final int LONGEST_TICK = 7;

    /** The largest number that is written with all its digits. */
    private static final double LARGEST_WHOLE = 1e15;

    /** Ratio of the largest to the smallest value above which an axis becomes logarithmic. */
    private static final double LOGARITHMIC = 50;

    /**
     * One line.
     *
     * @param name its title
     * @param color CSS color
     * @param x positions, ascending
     * @param y values; NaN and infinity interrupt the line
     * @param reach half the height of the band around the line at each position; empty for no band
     */
    public record Series(String name, String color, double[] x, double[] y, double[] reach) {
        /** Creates a line of values in descending order over their ranks from 1. */
        public static Series descending(String name, String color, DoubleStream values) {
            double[] ascending = values.sorted().toArray();
            double[] descending = new double[ascending.length];
            double[] ranks = new double[ascending.length];
            Arrays.setAll(descending, i -> ascending[ascending.length - 1 - i]);
            Arrays.setAll(ranks, i -> i + 1);
            return new Series(name, color, ranks, descending);
        }

        /** Creates a line without a band. */
        public Series(String name, String color, double[] x, double[] y) {
            this(name, color, x, y, new double[0]);
        }
    }

    private final List<Series> series;
    private final DoubleFunction<String> format;
    private final String unit;
    private final double left;
    private final double right;
    private final boolean whole;
    private final double low;
    private final double high;
    private final boolean logarithmic;

    private LineChart(List<Series> series, boolean percent, String unit, double left) {
        this.series = series;
        this.unit = unit;
        this.left = left;
        this.format = percent ? LineChart::percent : LineChart::plain;
        double most = left;
        double least = Double.POSITIVE_INFINITY;
        double greatest = 0;
        for (Series each : series) {
            for (int i = 0; i < each.x().length; i++) {
                most = Math.max(most, each.x()[i]);
                if (Double.isFinite(each.y()[i])) {
                    greatest = Math.max(greatest, each.y()[i]);
                    least = Math.min(least, each.y()[i]);
                }
            }
        }
        right = most > left ? most : left + 1;
        whole = positions(series).allMatch(each -> each == Math.rint(each));
        logarithmic = !percent && least > 0 && greatest / least > LOGARITHMIC;
        if (logarithmic) {
            low = Math.floor(Math.log10(least));
            high = Math.max(low + 1, Math.ceil(Math.log10(greatest)));
        } else {
            double bottom = Math.min(0, least);
            double step = step(greatest - bottom);
            low = -step * Math.ceil(-bottom / step);
            high = percent || greatest == bottom ? 1 : step * Math.ceil(greatest / step);
        }
    }

    /**
     * Draws a chart over rounds.
     *
     * @param label description for screen readers
     * @param percent true if values are shares of 1
     */
    public static String draw(String label, List<Series> series, boolean percent) {
        return draw(label, series, percent, "rounds");
    }

    /**
     * Draws a chart over another quantity than rounds.
     *
     * @param label description for screen readers
     * @param percent true if values are shares of 1
     * @param unit the unit of positions
     */
    public static String draw(String label, List<Series> series, boolean percent, String unit) {
        return new LineChart(series, percent, unit, 0).draw(label);
    }

    /**
     * Draws a chart of shares over values of any sign. Its horizontal axis starts at the smallest
     * value instead of 0.
     *
     * @param label description for screen readers
     * @param unit the unit of positions
     */
    public static String drawShares(String label, List<Series> series, String unit) {
        return new LineChart(series, true, unit, positions(series).min().orElse(0)).draw(label);
    }

    private static DoubleStream positions(List<Series> series) {
        return series.stream().flatMapToDouble(each -> Arrays.stream(each.x()));
    }

    private String draw(String label) {
        ChartStops stops = ChartStops.of(series, format);
        return svg(label, stops) + table(label, stops);
    }

    private String table(String label, ChartStops stops) {
        List<String> headings = new ArrayList<>(List.of(unit));
        series.forEach(each -> headings.add(each.name()));
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < stops.positions().length; i++) {
            List<String> row = new ArrayList<>(List.of(plain(stops.positions()[i])));
            row.addAll(stops.cells().get(i));
            rows.add(row);
        }
        return ValuesTable.of(label, headings, rows);
    }

    private String svg(String label, ChartStops stops) {
        add(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\"><desc>%s</desc>",
                WIDTH, HEIGHT, label, description(label));
        if (logarithmic) {
            double stride = Math.max(1, Math.ceil((high - low) / 6));
            for (double power = low; power <= high; power += stride) {
                gridLine(power, Math.pow(10, power));
            }
        } else {
            ticks(low, high, step(high - low)).forEach(value -> gridLine(value, value));
        }
        double step = step(right - left);
        ticks(left, right, whole ? Math.max(1, step) : step)
                .forEach(
                        position ->
                                add(
                                        "<text x=\"%.1f\" y=\"%d\" class=\"tick\""
                                                + " text-anchor=\"middle\">%s</text>",
                                        x(position),
                                        HEIGHT - BOTTOM + 16,
                                        tick(plain(position), position)));
        add(
                "<text x=\"%d\" y=\"%d\" class=\"tick\" text-anchor=\"end\">%s</text>",
                WIDTH - RIGHT, HEIGHT - 6, unit);
        series.forEach(this::band);
        series.forEach(this::line);
        hover(stops);
        return text() + "</svg>";
    }

    /** Describes the axes and the end of each line, for screen readers. */
    private String description(String label) {
        StringBuilder words = new StringBuilder();
        words.append(
                "Horizontal axis: %s, from %s to %s. ".formatted(unit, plain(left), plain(right)));
        words.append(
                "Vertical axis: %s, from %s to %s%s."
                        .formatted(
                                label,
                                format.apply(logarithmic ? Math.pow(10, low) : low),
                                format.apply(logarithmic ? Math.pow(10, high) : high),
                                logarithmic ? ", logarithmic" : ""));
        for (Series each : series) {
            int last = each.x().length - 1;
            while (last >= 0 && !Double.isFinite(each.y()[last])) {
                last--;
            }
            if (last >= 0) {
                words.append(
                        " %s ends at %s after %s %s."
                                .formatted(
                                        each.name(),
                                        format.apply(each.y()[last]),
                                        plain(each.x()[last]),
                                        unit));
            }
        }
        return words.toString();
    }

    /**
     * @param position the value, or its logarithm on a logarithmic axis
     */
    private void gridLine(double position, double value) {
        double y = y(position);
        add(
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>",
                LEFT, WIDTH - RIGHT, y, y);
        add(
                "<text x=\"%d\" y=\"%.1f\" class=\"tick\" text-anchor=\"end\">%s</text>",
                LEFT - 6, y + 4, tick(format.apply(value), value));
    }

    /** Draws an invisible strip around each position. Hovering over it shows the values there. */
    private void hover(ChartStops stops) {
        double[] at = stops.positions();
        for (int i = 0; i < at.length; i++) {
            double from = i == 0 ? LEFT : x((at[i - 1] + at[i]) / 2);
            double to = i == at.length - 1 ? WIDTH - RIGHT : x((at[i] + at[i + 1]) / 2);
            StringBuilder values = new StringBuilder(plain(at[i])).append(' ').append(unit);
            for (int line = 0; line < series.size(); line++) {
                values.append('\n')
                        .append(series.get(line).name())
                        .append(": ")
                        .append(stops.cells().get(i).get(line));
            }
            add(
                    "<g class=\"stop\"><title>%s</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\""
                            + " height=\"%d\"/><line x1=\"%.1f\" x2=\"%.1f\""
                            + " y1=\"%d\" y2=\"%d\"/></g>",
                    values,
                    from,
                    TOP,
                    to - from,
                    HEIGHT - TOP - BOTTOM,
                    x(at[i]),
                    x(at[i]),
                    TOP,
                    HEIGHT - BOTTOM);
        }
    }

    /** Draws the band around a line, clipped to the chart. */
    private void band(Series one) {
        StringBuilder upper = new StringBuilder();
        StringBuilder lower = new StringBuilder();
        for (int i = 0; i < one.reach().length; i++) {
            double reach = one.reach()[i];
            if (Double.isFinite(one.y()[i]) && Double.isFinite(reach)) {
                String point = "%.1f,%.1f ";
                double x = x(one.x()[i]);
                upper.append(String.format(Locale.ROOT, point, x, y(shown(one.y()[i] + reach))));
                lower.insert(0, String.format(Locale.ROOT, point, x, y(shown(one.y()[i] - reach))));
            }
        }
        if (!upper.isEmpty()) {
            add(
                    "<polygon points=\"%s%s\" fill=\"%s\" fill-opacity=\"0.15\"/>",
                    upper, lower, one.color());
        }
    }

    private double shown(double value) {
        double scaled = logarithmic ? Math.log10(Math.max(value, Math.pow(10, low))) : value;
        return Math.max(low, Math.min(high, scaled));
    }

    private void line(Series one) {
        StringBuilder path = new StringBuilder();
        StringBuilder marks = new StringBuilder();
        String last = "";
        boolean pen = false;
        for (int i = 0; i < one.x().length; i++) {
            double value = one.y()[i];
            if (!Double.isFinite(value) || (logarithmic && value <= 0)) {
                pen = false;
                continue;
            }
            double x = x(one.x()[i]);
            double y = y(logarithmic ? Math.log10(value) : value);
            String point = String.format(Locale.ROOT, "%.1f %.1f", x, y);
            if (!pen || !point.equals(last)) { // many of a million points are in the same place
                path.append(pen ? "L" : "M").append(point);
            }
            last = point;
            pen = true;
            if (one.x().length <= MARKED_POINTS) {
                marks.append(
                        String.format(
                                Locale.ROOT,
                                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"%s\"/>",
                                x,
                                y,
                                one.color()));
            }
        }
        add("<path d=\"%s\" stroke=\"%s\" class=\"line\"/>", path, one.color());
        add("%s", marks);
    }

    private double x(double value) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - left) / (right - left);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low);
    }

    /** The multiples of a step on an axis. */
    private static DoubleStream ticks(double from, double to, double step) {
        double slack = 1e-6; // of a step, for rounding errors
        return LongStream.rangeClosed(
                        (long) Math.ceil(from / step - slack), (long) Math.floor(to / step + slack))
                .mapToDouble(tick -> tick * step);
    }

    /** A round step that divides an axis of this length into four to eight parts. */
    private static double step(double length) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(length, 1e-9))));
        double leading = length / power;
        return power * (leading > 5 ? 1 : leading > 2 ? 0.5 : 0.2);
    }

    private static String percent(double value) {
        return String.format(
                Locale.ROOT, value * 100 % 1 < 1e-9 ? "%.0f %%" : "%.1f %%", value * 100);
    }

    /** The label of an axis: the value's text if there is room for it. */
    private static String tick(String text, double value) {
        return text.length() <= LONGEST_TICK ? text : withExponent(value);
    }

    private static String withExponent(double value) {
        return String.format(Locale.ROOT, "%.2e", value)
                .replaceAll("\\.?0+e", "e")
                .replaceAll("e\\+?(-?)0?", "e$1");
    }

    private static String plain(double value) {
        double size = Math.abs(value);
        if (size >= 100_000 && size <= LARGEST_WHOLE && value == Math.rint(value)) {
            return String.valueOf((long) value);
        }
        if (size >= 100_000 || (value != 0 && size < 0.001)) {
            return withExponent(value);
        }
        // The steps of an axis that ends at 0.002 differ only in the fourth decimal place.
        int places = size >= 0.1 ? 3 : size >= 0.01 ? 4 : 5;
        String text = String.format(Locale.ROOT, "%." + places + "f", value);
        return text.replaceAll("\\.?0+$", "");
    }
}
