package dev.levee.jobs.internal.report.markup;

import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.PassDirection;

import java.util.List;

/** Draws a graph of operators as inline SVG, with a column for each step of its longest path. */
public final class GraphDrawing extends Markup {
    /** Maximum number of operators; a larger drawing is not readable. */
    public static final int LARGEST = 600;

    private static final int NAMED = 80;
    private static final int LETTERS = 17;

    private final OperatorGraph graph;
    private final List<Integer> devices;
    private final int[] column;
    private final int[] row;
    private final boolean named;
    private int columns;
    private int rows;

    private GraphDrawing(OperatorGraph graph, List<Integer> devices) {
        this.graph = graph;
        this.devices = devices;
        this.named = graph.size() <= NAMED;
        column = new int[graph.size()];
        row = new int[graph.size()];
        int[] filled = new int[graph.size()];
        for (int id : graph.order()) {
            for (int edge : graph.in(id)) {
                column[id] = Math.max(column[id], column[graph.from(edge)] + 1);
            }
            // Operators of one column are placed below each other, backward operators below forward
            // ones.
            row[id] = filled[column[id]]++;
            columns = Math.max(columns, column[id] + 1);
            rows = Math.max(rows, row[id] + 1);
        }
        fold();
    }

    /** Wraps a long narrow graph into several bands, whose direction alternates. */
    private void fold() {
        int across = named ? 8 : 60;
        if (columns <= across) {
            return;
        }
        int height = rows;
        for (int id = 0; id < column.length; id++) {
            int band = column[id] / across;
            int place = column[id] % across;
            column[id] = band % 2 == 0 ? place : across - 1 - place;
            row[id] += band * height;
        }
        rows = ((columns - 1) / across + 1) * height;
        columns = across;
    }

    /**
     * Draws a graph.
     *
     * @param devices device of each operator
     */
    public static String draw(OperatorGraph graph, List<Integer> devices) {
        return new GraphDrawing(graph, devices).draw();
    }

    private String draw() {
        int wide = named ? 124 : 16;
        int high = named ? 36 : 16;
        add(
                "<svg viewBox=\"0 0 %d %d\" style=\"max-width:%dpx\" role=\"img\""
                        + " aria-label=\"The graph, colored by device\">",
                columns * wide, rows * high, columns * wide);
        for (int edge = 0; edge < graph.edges(); edge++) {
            int from = graph.from(edge);
            int to = graph.to(edge);
            boolean crosses = !devices.get(from).equals(devices.get(to));
            double x1 = (column[from] + 0.5) * wide;
            double y1 = (row[from] + 0.5) * high;
            double x2 = (column[to] + 0.5) * wide;
            double y2 = (row[to] + 0.5) * high;
            add(
                    "<path d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\" fill=\"none\" stroke=\"%s\""
                            + " stroke-width=\"%s\"/>",
                    x1,
                    y1,
                    (x1 + x2) / 2 + (y1 == y2 ? 0 : high / 3.0),
                    (y1 + y2) / 2 - (x1 == x2 ? 0 : high / 4.0),
                    x2,
                    y2,
                    crosses ? "var(--lie)" : "var(--rule)",
                    crosses ? "1.5" : "1");
        }
        for (int id = 0; id < graph.size(); id++) {
            operator(id, wide, high);
        }
        return text() + "</svg>";
    }

    private void operator(int id, int wide, int high) {
        String name = Html.escape(graph.operator(id).name());
        double x = (column[id] + 0.5) * wide;
        double y = (row[id] + 0.5) * high;
        String color = Html.color(devices.get(id));
        String opacity = graph.operator(id).phase() == PassDirection.BACKWARD ? "0.6" : "1";
        if (!named) {
            add(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\" fill-opacity=\"%s\">"
                            + "<title>%s</title></circle>",
                    x, y, color, opacity, name);
            return;
        }
        String text = graph.operator(id).name();
        add(
                "<g><title>%s</title><rect x=\"%.1f\" y=\"%.1f\" width=\"112\" height=\"20\""
                        + " rx=\"5\" fill=\"var(--card)\"/><rect x=\"%.1f\" y=\"%.1f\" width=\"112\""
                        + " height=\"20\" rx=\"5\" fill=\"%s\" fill-opacity=\"%s\"/><text x=\"%.1f\""
                        + " y=\"%.1f\" text-anchor=\"middle\" fill=\"#fff\" style=\"font:11px"
                        + " system-ui,sans-serif\">%s</text></g>",
                name,
                x - 56,
                y - 10,
                x - 56,
                y - 10,
                color,
                opacity,
                x,
                y + 4,
                Html.escape(text.length() > LETTERS ? text.substring(0, LETTERS - 1) + "…" : text));
    }
}
