package dev.levee.jobs.internal.cli.failure;

import dev.levee.jobs.internal.run.Checkpoints;

import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns a failure into one sentence that gives its cause. */
public final class Failures {
    private Failures() {}

    /**
     * Failures whose messages are complete sentences, in the form in which Flink passes them on as
     * text.
     */
    private static final Pattern TELLING =
            Pattern.compile(
                    "[\\w.]*\\.(RunFailedException|RefusedDataException|IllegalArgumentException|IllegalStateException"
                            + "|UncheckedIOException): (.*)",
                    Pattern.DOTALL);

    /**
     * Flink's message about state that belongs to no operator of the job. Operator uids start with
     * the run's id, so the state is of another run.
     */
    private static final Pattern OTHER_RUN =
            Pattern.compile(
                    "Failed to rollback to checkpoint/savepoint (\\S+)\\. Cannot map .* to the new"
                            + " program, because the operator is not available .*",
                    Pattern.DOTALL);

    /** Messages that name the place of a failure and leave the reason to the cause. */
    private static final Pattern WITHOUT_REASON =
            Pattern.compile("worker \\d+ failed in round \\d+|evaluation failed");

    /**
     * Returns the failure's sentence, or that of its first telling cause if Flink or others have
     * wrapped it.
     */
    public static String sentence(Throwable failure) {
        return StoreFailures.sentence(failure).orElseGet(() -> own(failure));
    }

    private static String own(Throwable failure) {
        Throwable telling = failure;
        while (!ours(telling) && telling.getCause() != null) {
            telling = telling.getCause();
        }
        if (telling instanceof FileSystemException file) {
            return ofFile(file);
        }
        String sentence = telling.toString();
        Matcher matcher = TELLING.matcher(sentence);
        while (matcher.matches()) { // one prefix for each time it was serialized
            sentence = matcher.group(2);
            matcher = TELLING.matcher(sentence);
        }
        if (WITHOUT_REASON.matcher(sentence).matches() && telling.getCause() != null) {
            return sentence + ": " + own(telling.getCause());
        }
        Matcher otherRun = OTHER_RUN.matcher(sentence);
        return otherRun.matches() ? Checkpoints.ofAnotherRun(otherRun.group(1)) : sentence;
    }

    /** Adds a reason, because Java's message is often only the name of the file. */
    private static String ofFile(FileSystemException failure) {
        if (failure instanceof NoSuchFileException) {
            return failure.getFile() + " does not exist";
        }
        String reason =
                failure instanceof AccessDeniedException
                        ? "permission denied"
                        : failure instanceof DirectoryNotEmptyException
                                ? "is a folder that is not empty"
                                : failure.getReason();
        return reason == null ? failure.toString() : failure.getFile() + ": " + reason;
    }

    private static boolean ours(Throwable failure) {
        return failure.getMessage() != null && TELLING.matcher(failure.toString()).matches();
    }
}
