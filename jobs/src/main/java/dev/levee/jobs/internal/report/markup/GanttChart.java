package dev.levee.jobs.internal.report.markup;

import java.util.List;

/** Draws rows of bars over time as inline SVG. */
public final class GanttChart extends Markup {
    private static final int WIDTH = 1000;
    private static final int LEFT = 64;
    private static final int RIGHT = 12;
    private static final int ROW = 34;
    private static final int BOTTOM = 24;
    private static final int TICKS = 8;

    /** Bars narrower than this are merged with the bars that follow them. */
    private static final double NARROWEST = 0.8;

    /**
     * A bar.
     *
     * @param start start in seconds
     * @param end end in seconds
     * @param name title of the bar
     * @param pale true to draw the bar in a paler color
     */
    public record Bar(double start, double end, String name, boolean pale) {}

    /**
     * A row.
     *
     * @param name label of the row
     * @param color CSS color of its bars
     * @param bars the running operators, in order and without overlaps
     * @param thin arriving transfers, which are drawn below as thin lines and may overlap
     */
    public record Row(String name, String color, List<Bar> bars, List<Bar> thin) {}

    private final double length;

    private GanttChart(double length) {
        this.length = length;
    }

    /**
     * Draws the rows.
     *
     * @param label description for screen readers
     * @param length length of the axis in seconds
     * @param unit formats seconds
     */
    public static String draw(String label, List<Row> rows, double length, DoubleLabel unit) {
        GanttChart chart = new GanttChart(length > 0 ? length : 1);
        int height = rows.size() * ROW + BOTTOM;
        chart.add(
                "<svg viewBox=\"0 0 %d %d\" style=\"max-width:none\" role=\"img\""
                        + " aria-label=\"%s\">",
                WIDTH, height, Html.escape(label));
        for (int i = 0; i <= TICKS; i++) {
            double at = length * i / TICKS;
            chart.add(
                    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\" class=\"grid\"/>",
                    chart.x(at), chart.x(at), height - BOTTOM);
            chart.add(
                    "<text x=\"%.1f\" y=\"%d\" class=\"tick\" text-anchor=\"%s\">%s</text>",
                    chart.x(at),
                    height - 6,
                    i == 0 ? "start" : i == TICKS ? "end" : "middle",
                    unit.text(at));
        }
        for (int row = 0; row < rows.size(); row++) {
            chart.row(rows.get(row), row * ROW);
        }
        return chart.text() + "</svg>";
    }

    /** Formats a number of seconds. */
    public interface DoubleLabel {
        String text(double seconds);
    }

    private void row(Row row, int top) {
        add("<text x=\"0\" y=\"%d\" class=\"tick\">%s</text>", top + 18, Html.escape(row.name()));
        bars(row.bars(), row.color(), top + 4, 18);
        bars(row.thin(), "var(--soft)", top + 25, 3);
    }

    private void bars(List<Bar> bars, String color, int y, int height) {
        for (int i = 0; i < bars.size(); ) {
            Bar first = bars.get(i);
            double end = first.end();
            int next = i + 1;
            while (next < bars.size()
                    && x(end) - x(first.start()) < NARROWEST
                    && bars.get(next).pale() == first.pale()
                    && x(bars.get(next).start()) - x(end) < NARROWEST) {
                end = Math.max(end, bars.get(next).end());
                next++;
            }
            String name = Html.escape(first.name());
            add(
                    "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\""
                            + " fill-opacity=\"%s\" stroke=\"var(--card)\""
                            + " stroke-width=\"0.4\"><title>%s</title></rect>",
                    x(first.start()),
                    y,
                    Math.max(0.3, x(end) - x(first.start())),
                    height,
                    color,
                    first.pale() ? "0.55" : "1",
                    next == i + 1 ? name : name + " and " + (next - i - 1) + " more");
            i = next;
        }
    }

    private double x(double seconds) {
        return LEFT + (WIDTH - LEFT - RIGHT) * seconds / length;
    }
}
