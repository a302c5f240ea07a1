package dev.levee.jobs.internal.pages;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The documentation page of a rule, a pre-aggregation or an attack.
 *
 * @param name name of the rule, pre-aggregation or attack
 * @param summary first sentence of the page
 * @param facts table of the page: limit, cost, source and so on
 * @param text the whole page in Markdown
 */
public record Page(String name, String summary, Map<String, String> facts, String text) {
    /** Reads a page. */
    static Page of(String name, String text) {
        List<String> lines = text.lines().toList();
        Map<String, String> facts = new LinkedHashMap<>();
        for (String line : lines) {
            String[] cells = line.split("(?<!\\\\)\\|", -1);
            boolean row = line.startsWith("|") && cells.length == 4;
            if (row && !cells[1].isBlank() && !cells[1].startsWith("-")) {
                facts.putIfAbsent(cells[1].strip(), cells[2].strip().replace("\\|", "|"));
            } else if (line.startsWith("## ")) {
                break;
            }
        }
        String summary =
                lines.stream()
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .findFirst()
                        .orElse("");
        return new Page(name, summary, facts, text);
    }

    /** A fact from the table, empty if the page does not state it. */
    public String fact(String key) {
        return facts.getOrDefault(key, "");
    }
}
