package dev.levee.jobs.internal.report.markup;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** HTML functions that all pages share. */
public final class Html {
    private static final List<String> COLORS =
            List.of(
                    "#2f6fde", "#e8750a", "#0b9b74", "#8b4fd9", "#a8781c", "#64748b", "#d6336c",
                    "#0891b2", "#65a30d", "#7c8aa0");

    /** The end of the table that {@link #table} begins. */
    public static final String TABLE_END = "</tbody></table></div>";

    private Html() {}

    /** The top of a page, up to its content. */
    public static String head(String title) {
        return """
        <!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Levee: %s</title><style>%s</style></head><body><main>
        """
                .formatted(escape(title), css());
    }

    /** The bottom of a page. */
    public static String foot() {
        return "</main></body></html>\n";
    }

    /** The beginning of a table, up to its first row. {@link #TABLE_END} closes it. */
    public static String table(List<String> headings) {
        return headings.stream()
                .map(each -> "<th scope=\"col\">" + each + "</th>")
                .collect(
                        Collectors.joining(
                                "",
                                "<div class=\"scroll\"><table><thead><tr>",
                                "</tr></thead><tbody>\n"));
    }

    /**
     * Returns a whole table.
     *
     * @param lines headings, then rows, as unescaped text
     */
    public static String wholeTable(List<List<String>> lines) {
        String rows =
                lines.subList(1, lines.size()).stream()
                        .map(
                                line ->
                                        line.stream()
                                                .map(each -> "<td>" + escape(each) + "</td>")
                                                .collect(Collectors.joining("", "<tr>", "</tr>\n")))
                        .collect(Collectors.joining());
        return table(lines.get(0).stream().map(Html::escape).toList()) + rows + TABLE_END;
    }

    /** Escapes text for HTML. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** The color of one of several compared things. */
    public static String color(int index) {
        return COLORS.get(index % COLORS.size());
    }

    private static String css() {
        try (InputStream in = Html.class.getResourceAsStream("report.css")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
