package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.report.OutputLayout;

import java.nio.file.Path;
import java.util.Optional;

/** Formats words of commands that a user is told. */
public final class ShellWords {
    private ShellWords() {}

    /** Quotes a word for a shell. */
    public static String quoted(String word) {
        return word.matches("[\\w./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Formats a URI as a user would write it: as a path if it is local. */
    public static String shown(String uri) {
        return local(uri).map(Path::toString).orElse(uri);
    }

    /** The local path of a URI; empty if it is remote. */
    static Optional<Path> local(String uri) {
        return uri.startsWith("file:")
                ? Optional.of(Path.of(OutputLayout.uri(uri)))
                : Optional.empty();
    }
}
