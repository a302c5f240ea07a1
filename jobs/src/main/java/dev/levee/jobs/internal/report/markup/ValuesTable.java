package dev.levee.jobs.internal.report.markup;

import java.util.List;

/**
 * Writes the values of a chart as a collapsed table below it. The table is for readers who cannot
 * see the chart, cannot hover, or need the numbers.
 */
public final class ValuesTable {
    /** Maximum number of rows of a table; nobody would read more. */
    private static final int MOST_ROWS = 200;

    private ValuesTable() {}

    /**
     * Writes a table. All text is HTML.
     *
     * @param label the description of the chart
     * @param headings headings of the columns
     * @param rows rows with a cell for each column, the first of which names the row; only the
     *     first {@value #MOST_ROWS} rows are written
     */
    public static String of(String label, List<String> headings, List<List<String>> rows) {
        StringBuilder html =
                new StringBuilder(
                        "<details class=\"values\"><summary aria-label=\"Values: %s\">Values</summary><div class=\"scroll\"><table><caption>%s</caption><thead><tr>"
                                .formatted(label, caption(label, rows.size())));
        for (String heading : headings) {
            html.append("<th scope=\"col\">").append(heading).append("</th>");
        }
        html.append("</tr></thead><tbody>\n");
        for (List<String> row : rows.subList(0, Math.min(MOST_ROWS, rows.size()))) {
            html.append("<tr><th scope=\"row\">").append(row.get(0)).append("</th>");
            for (String cell : row.subList(1, row.size())) {
                html.append("<td>").append(cell).append("</td>");
            }
            html.append("</tr>\n");
        }
        return html.append("</tbody></table></div></details>\n").toString();
    }

    private static String caption(String label, int rows) {
        return rows <= MOST_ROWS
                ? label
                : "%s: the first %d of %d rows".formatted(label, MOST_ROWS, rows);
    }
}
