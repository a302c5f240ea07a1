package dev.levee.jobs.internal.report.markup;

import java.util.Locale;

/** The base of classes that build HTML or SVG piece by piece. */
public abstract class Markup {
    private final StringBuilder text = new StringBuilder();

    /** Adds a line, formatted by {@link String#format} with English numbers. */
    protected final void add(String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    /** The text that was added so far. */
    protected final String text() {
        return text.toString();
    }
}
