package dev.levee.jobs.internal.cli.options;

import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.run.LeftFolder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Collects the texts in which a command line may name data: its words, the file of its {@code
 * --config}, and the summaries and recorded options of the runs that it names.
 */
public final class NamedSources {
    private static final String CONFIG = "--config";
    private static final String RESUME = "--resume";
    private static final String RECORD = "/" + RunFiles.RECORD;

    /** The commands that open the data of the run that they name. */
    private static final Set<String> OPENING = Set.of("evaluate", "generate");

    private NamedSources() {}

    /**
     * Returns the words and the texts of those files. Unreadable files are skipped here; the
     * command reports them.
     */
    public static String[] of(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        for (int i = 0; i < words.length; i++) {
            value(CONFIG, words, i).flatMap(NamedSources::text).ifPresent(all::add);
            value(RESUME, words, i).flatMap(NamedSources::record).ifPresent(all::add);
            if (OPENING.contains(words[0]) && !words[i].startsWith("-")) {
                summary(words[i]).ifPresent(all::add);
            }
        }
        return all.toArray(String[]::new);
    }

    /** The value of an option, if word {@code i} is that option. */
    private static Optional<String> value(String option, String[] words, int i) {
        if (words[i].equals(option) && i + 1 < words.length) {
            return Optional.of(words[i + 1]);
        }
        return words[i].startsWith(option + "=")
                ? Optional.of(words[i].substring(option.length() + 1))
                : Optional.empty();
    }

    /** Returns true if any of the words names an object in S3. */
    public static boolean objects(String... words) {
        for (String word : words) {
            if (word.contains("s3a://") || word.contains("s3://")) {
                return true;
            }
        }
        return false;
    }

    /** The record in the folder of a run, which may be above the checkpoints that a word names. */
    private static Optional<String> record(String word) {
        Optional<String> record = Optional.empty();
        String up = "";
        for (int level = 0; level <= LeftFolder.LEVELS && record.isEmpty(); level++) {
            record = text(word + up + RECORD);
            up += "/..";
        }
        return record;
    }

    /** The summary in the folder of a run or of a model. */
    private static Optional<String> summary(String word) {
        return text(word + "/" + RunFiles.SUMMARY).or(() -> text(word + "/../" + RunFiles.SUMMARY));
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
