package dev.levee.jobs.internal.sql;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Describes in one sentence why a statement failed. */
final class SqlFailure {
    private static final Pattern WHERE =
            Pattern.compile(
                    "(?:From| at) line (\\d+), column (\\d+)(?: to line \\d+, column \\d+)?:? ?");

    /** The parser's list of expected tokens, which is left out. */
    private static final Pattern ALTERNATIVES = Pattern.compile("(?s)\\.?\\s*Was expecting.*");

    private SqlFailure() {}

    /**
     * Returns the position and the reason of a failure.
     *
     * @param source name of the script
     * @param statement the failed statement
     * @return {@code script.sql:3: …}, with the column if the parser knows it
     */
    static String sentence(String source, SqlScript.Statement statement, Throwable failure) {
        String message = message(failure);
        Matcher where = WHERE.matcher(message);
        if (!where.find()) {
            return source + ":" + statement.line() + ": " + message;
        }
        String what = message.substring(0, where.start()) + message.substring(where.end());
        return source + ":" + where.group(1) + ":" + where.group(2) + ": " + what;
    }

    /**
     * The message of the last cause that has a position; without one, the message of the last
     * cause.
     */
    private static String message(Throwable failure) {
        String message = failure.toString();
        String placed = null;
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each.getMessage() != null) {
                message = line(each.getMessage());
                placed = WHERE.matcher(message).find() ? message : placed;
            }
        }
        return placed == null ? message : placed;
    }

    private static String line(String message) {
        return ALTERNATIVES
                .matcher(message)
                .replaceFirst("")
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(" "));
    }
}
