package dev.levee.jobs.internal.cli.view;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Prints tables with aligned columns. */
public final class Columns {
    private static final String GAP = "  ";

    /** Minimum width of a wrapped last column; a narrower one is left to the terminal. */
    private static final int NARROWEST = 24;

    private Columns() {}

    /**
     * Prints a table whose lines have the same number of cells. The launcher passes the width of
     * the terminal; if it is too narrow, the last cell wraps within its column.
     */
    public static void print(PrintWriter out, List<List<String>> lines) {
        print(out, lines, Integer.getInteger("levee.columns", 0));
    }

    /**
     * Prints a table.
     *
     * @param columns width of the terminal, 0 if unknown
     */
    static void print(PrintWriter out, List<List<String>> lines, int columns) {
        int last = lines.get(0).size() - 1;
        int[] widths = new int[last];
        int left = 0;
        for (int c = 0; c < last; c++) {
            for (List<String> line : lines) {
                widths[c] = Math.max(widths[c], width(line.get(c)));
            }
            left += widths[c] + GAP.length();
        }
        int room = columns - left >= NARROWEST ? columns - left : Integer.MAX_VALUE;
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int c = 0; c < last; c++) {
                text.append(line.get(c));
                text.append(" ".repeat(widths[c] - width(line.get(c)))).append(GAP);
            }
            for (String part : wrapped(line.get(last), room)) {
                out.println(text.append(part).toString().stripTrailing());
                text.setLength(0);
                text.append(" ".repeat(left));
            }
        }
    }

    /** Wraps words at a width; a longer word gets a line of its own. */
    private static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() > 0 && width(line.toString()) + 1 + width(word) > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
