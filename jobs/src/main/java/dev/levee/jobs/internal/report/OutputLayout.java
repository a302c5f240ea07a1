package dev.levee.jobs.internal.report;

import java.io.Serializable;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * The directories of an invocation's results: the root for the first run, and for each further run
 * a directory below it, which is named after its rule.
 *
 * @param root absolute URI without a slash at its end
 * @param names directory name of each run, derived from its rule
 */
public record OutputLayout(String root, List<String> names) implements Serializable {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    public OutputLayout {
        names = List.copyOf(names);
    }

    /**
     * Returns the layout for some rules.
     *
     * @param output a local directory, or a URI
     */
    public static OutputLayout of(String output, List<String> rules) {
        return new OutputLayout(
                absolute(output), rules.stream().map(OutputLayout::directoryName).toList());
    }

    /**
     * Returns the output that a user chose, or else a new folder below {@code levee-runs}, named
     * after the current time.
     *
     * @param chosen null if the user chose none
     * @param name part of the new folder's name that follows the time
     */
    public static String chosen(String chosen, Clock clock, String name) {
        return chosen != null
                ? chosen
                : "levee-runs/%s-%s".formatted(TIME.format(LocalDateTime.now(clock)), name);
    }

    /** Directory of run {@code index}. */
    public String directory(int index) {
        return index == 0 ? root : root + "/" + names.get(index);
    }

    /** The name of run {@code index} in paths of checkpoints and results. */
    public String name(int index) {
        return names.get(index);
    }

    /**
     * A rule's name without characters that file systems do not allow: {@code
     * clip-2-nnm-trimmed-mean}.
     */
    public static String directoryName(String rule) {
        return rule.toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9._]+", "-")
                .replaceAll("^-+|-+$", "");
    }

    /** The URI of a local path; URIs are returned unchanged. */
    public static String absolute(String path) {
        boolean uri = path.matches("[a-zA-Z][a-zA-Z0-9+.-]+:.*");
        String absolute =
                uri ? path : Path.of(path).toAbsolutePath().normalize().toUri().toString();
        return absolute.replaceAll("/+$", "");
    }
}
