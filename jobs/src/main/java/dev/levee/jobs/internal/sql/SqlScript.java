package dev.levee.jobs.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Statements, each terminated by a semicolon, which the last may omit.
 *
 * @param statements the terminated statements, in order
 * @param rest the text after the last semicolon; blank if nothing is open
 */
record SqlScript(List<Statement> statements, Statement rest) {
    /** The start of a statement set, which contains semicolons until its END. */
    private static final Pattern SET =
            Pattern.compile("(?i)\\s*(EXECUTE\\s+)?STATEMENT\\s+SET\\s+BEGIN\\b");

    /** The words that begin and end a group, and quotes, which may contain these words. */
    private static final Pattern GROUP =
            Pattern.compile("(?i)'[^']*'|`[^`]*`|\\b(?<begin>CASE)\\b|\\b(?<end>END)\\b");

    /**
     * A statement without its semicolon and comments.
     *
     * @param line line on which it begins, counted from 1
     * @param text its text, with its line breaks
     */
    public record Statement(int line, String text) {
        boolean blank() {
            return text.isBlank();
        }

        /**
         * Returns the statement with its line breaks before it, so that a parser counts lines of
         * the script.
         */
        String inPlace() {
            return "\n".repeat(line - 1) + text;
        }
    }

    /**
     * Splits a script into statements. Semicolons in quotes and comments do not terminate a
     * statement.
     */
    public static SqlScript of(String script) {
        Reader reader = new Reader(script);
        while (reader.more()) {
            reader.step();
        }
        return new SqlScript(List.copyOf(reader.statements), reader.statement());
    }

    /** All statements, including an unfinished one at the end. */
    public List<Statement> all() {
        List<Statement> all = new ArrayList<>(statements);
        if (!rest.blank()) {
            all.add(rest);
        }
        return all;
    }

    private static final class Reader {
        private final List<Statement> statements = new ArrayList<>();
        private final String script;
        private final StringBuilder code = new StringBuilder();
        private int at;
        private int line = 1;
        private int begin = 1;

        Reader(String script) {
            this.script = script;
        }

        boolean more() {
            return at < script.length();
        }

        void step() {
            char next = script.charAt(at);
            if (next == '\'' || next == '`') {
                take(end(String.valueOf(next), at + 1));
            } else if (script.startsWith("--", at)) {
                at = before("\n");
            } else if (script.startsWith("/*", at) && !script.startsWith("/*+", at)) {
                leaveOut(end("*/", at + 2));
            } else if (next == ';' && !inSet()) {
                if (!code.toString().isBlank()) {
                    statements.add(statement());
                }
                code.setLength(0);
                at++;
            } else {
                take(at + 1);
            }
        }

        /** True after the BEGIN of a statement set, until the END that belongs to it. */
        private boolean inSet() {
            Matcher set = SET.matcher(code);
            if (!set.lookingAt()) {
                return false;
            }
            int open = 1;
            Matcher words = GROUP.matcher(code);
            for (int from = set.end(); open > 0 && words.find(from); from = words.end()) {
                if (words.group("begin") != null) {
                    open++;
                } else if (words.group("end") != null) {
                    open--;
                }
            }
            return open > 0;
        }

        private void take(int end) {
            String part = script.substring(at, end);
            if (code.isEmpty()) {
                if (part.isBlank()) { // before the first word of a statement
                    leaveOut(end);
                    return;
                }
                begin = line;
            }
            code.append(part);
            line += lines(part);
            at = end;
        }

        private void leaveOut(int end) {
            String part = script.substring(at, end);
            if (!code.isEmpty()) {
                code.append(' ').append("\n".repeat(lines(part)));
            }
            line += lines(part);
            at = end;
        }

        private int end(String mark, int from) {
            int found = script.indexOf(mark, from);
            return found < 0 ? script.length() : found + mark.length();
        }

        private int before(String mark) {
            int found = script.indexOf(mark, at);
            return found < 0 ? script.length() : found;
        }

        private static int lines(String text) {
            return (int) text.chars().filter(each -> each == '\n').count();
        }

        Statement statement() {
            return new Statement(begin, code.toString().stripTrailing());
        }
    }
}
