package dev.levee.jobs.internal.cli;

import java.io.PrintWriter;
import java.util.List;

/** Prints lines of cells below one another. */
final class Columns {
    private static final String GAP = "  ";

    private Columns() {}

    /** Prints a table whose lines have the same number of cells. */
    static void print(PrintWriter out, List<List<String>> lines) {
        int[] widths = new int[lines.get(0).size()];
        for (List<String> line : lines) {
            for (int c = 0; c < widths.length; c++) {
                widths[c] = Math.max(widths[c], width(line.get(c)));
            }
        }
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int c = 0; c < widths.length; c++) {
                text.append(line.get(c));
                text.append(" ".repeat(widths[c] - width(line.get(c)))).append(GAP);
            }
            out.println(text.toString().stripTrailing());
        }
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
