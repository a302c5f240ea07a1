package dev.levee.jobs.internal.report.markup;

import java.util.Locale;

/** HTML or SVG that is put together from pieces. */
public abstract class Markup {
    private final StringBuilder text = new StringBuilder();

    /** Adds a line, formatted as {@link String#format} does it in English. */
    protected final void add(String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    /** The text so far. */
    protected final String text() {
        return text.toString();
    }
}
