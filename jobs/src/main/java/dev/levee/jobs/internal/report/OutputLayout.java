package dev.levee.jobs.internal.report;

import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
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
     * after the current time. The folder is not created; {@link #reserve} does that.
     *
     * @param chosen null if the user chose none
     * @param name part of the new folder's name that follows the time
     */
    public static String chosen(String chosen, Clock clock, String name) {
        return chosen != null
                ? chosen
                : "levee-runs/%s-%s".formatted(TIME.format(LocalDateTime.now(clock)), name);
    }

    /** Returns this layout in a folder of its own, see {@link #reserve}. */
    public OutputLayout reserved() throws IOException {
        return new OutputLayout(reserve(root), names);
    }

    /**
     * Creates a local folder for a run whose user chose none. If the folder exists, as that of a
     * run that started in the same second, creates one whose name ends with {@code -2}, {@code -3}
     * and so on.
     *
     * @param folder absolute URI
     * @return absolute URI of the new folder
     */
    public static String reserve(String folder) throws IOException {
        Path first = Path.of(uri(folder));
        if (!Files.isDirectory(first.getParent())) { // Java 17 refuses a link to a directory
            Files.createDirectories(first.getParent());
        }
        Path free = first;
        for (int number = 2; ; number++) {
            try {
                return absolute(Files.createDirectory(free).toString());
            } catch (FileAlreadyExistsException e) {
                free = first.resolveSibling(first.getFileName() + "-" + number);
            }
        }
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

    /**
     * The address of a local path as Flink reads and writes it, without escapes: a blank stays a
     * blank. Addresses are returned unchanged.
     */
    public static String absolute(String path) {
        boolean address = path.matches("[a-zA-Z][a-zA-Z0-9+.-]+:.*");
        String absolute =
                address
                        ? path
                        : "file://" + Path.of(path).toAbsolutePath().normalize().toUri().getPath();
        return absolute.replaceAll("/+$", "");
    }

    /** The URI of an {@link #absolute} address, with escapes. */
    public static URI uri(String absolute) {
        return URI.create(new org.apache.flink.core.fs.Path(absolute).toUri().toASCIIString());
    }
}
