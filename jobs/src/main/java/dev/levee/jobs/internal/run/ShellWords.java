package dev.levee.jobs.internal.run;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** Words of commands that a user is told. */
public final class ShellWords {
    private ShellWords() {}

    /** A word as a shell reads it. */
    public static String quoted(String word) {
        return word.matches("[\\w./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** A URI as a user would write it: a path if it is on this machine. */
    public static String shown(String uri) {
        return local(uri).map(Path::toString).orElse(uri);
    }

    /** The path of a URI on this machine. */
    static Optional<Path> local(String uri) {
        return uri.startsWith("file:") ? Optional.of(Path.of(URI.create(uri))) : Optional.empty();
    }
}
