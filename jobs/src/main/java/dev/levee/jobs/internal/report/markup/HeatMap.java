package dev.levee.jobs.internal.report.markup;

import static dev.levee.jobs.internal.report.markup.Html.escape;

import java.util.List;
import java.util.Locale;

/** Draws a table whose cells are shaded by their values. */
public final class HeatMap {
    private static final double DARKEST = 0.75;

    /**
     * One cell.
     *
     * @param value value that determines the shade; NaN for no shade
     * @param text the text in the cell
     * @param more text that is shown on hovering
     */
    public record Cell(double value, String text, String more) {}

    private HeatMap() {}

    /**
     * Draws the table as HTML.
     *
     * @param corner text of the corner, which explains rows and columns
     * @param low value without a shade
     * @param high value of the darkest shade, which may be below {@code low}
     * @param cells by row, then by column
     */
    public static String draw(
            String corner,
            List<String> rows,
            List<String> columns,
            double low,
            double high,
            List<List<Cell>> cells) {
        StringBuilder html = new StringBuilder("<div class=\"scroll\"><table class=\"cells\">");
        html.append("<thead><tr><th scope=\"col\">").append(escape(corner)).append("</th>");
        columns.forEach(
                column -> html.append("<th scope=\"col\">").append(escape(column)).append("</th>"));
        html.append("</tr></thead><tbody>\n");
        for (int row = 0; row < rows.size(); row++) {
            html.append("<tr><th scope=\"row\">").append(escape(rows.get(row))).append("</th>");
            for (Cell cell : cells.get(row)) {
                html.append(
                        String.format(
                                Locale.ROOT,
                                "<td style=\"background:rgb(47 111 222 / %.2f)\""
                                        + " title=\"%s\">%s</td>",
                                shade(cell.value(), low, high),
                                escape(cell.more()),
                                escape(cell.text())));
            }
            html.append("</tr>\n");
        }
        return html.append("</tbody></table></div>").toString();
    }

    private static double shade(double value, double low, double high) {
        if (!Double.isFinite(value) || high == low) {
            return 0;
        }
        return DARKEST * Math.max(0, Math.min(1, (value - low) / (high - low)));
    }
}
