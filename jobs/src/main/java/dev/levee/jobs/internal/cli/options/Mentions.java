package dev.levee.jobs.internal.cli.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The places where a command line may name data: its words, the file of its {@code --config}, and
 * the summaries of runs that it names.
 */
public final class Mentions {
    private static final String CONFIG = "--config";
    private static final String SUMMARY = "summary.json";

    private Mentions() {}

    /** The words, and the texts of those files; one that cannot be read is for others to refuse. */
    public static String[] of(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        for (int i = 0; i < words.length; i++) {
            if (words[i].equals(CONFIG) && i + 1 < words.length) {
                text(words[i + 1]).ifPresent(all::add);
            } else if (words[i].startsWith(CONFIG + "=")) {
                text(words[i].substring(CONFIG.length() + 1)).ifPresent(all::add);
            } else if (!words[i].startsWith("-")) {
                summary(words[i]).ifPresent(all::add);
            }
        }
        return all.toArray(String[]::new);
    }

    /** True if one of some words names an object in S3. */
    public static boolean objects(String... words) {
        for (String word : words) {
            if (word.contains("s3a://") || word.contains("s3://")) {
                return true;
            }
        }
        return false;
    }

    /** The summary in a run's folder, or in the folder of a model. */
    private static Optional<String> summary(String word) {
        boolean model = word.endsWith(".npz");
        return text(model ? word + "/../" + SUMMARY : word + "/" + SUMMARY);
    }

    private static Optional<String> text(String file) {
        try {
            Path path = Path.of(file).normalize();
            return Files.isRegularFile(path)
                    ? Optional.of(Files.readString(path))
                    : Optional.empty();
        } catch (InvalidPathException | IOException e) {
            return Optional.empty();
        }
    }
}
