package dev.levee.jobs.internal.cli.failure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says in a line why something failed. */
public final class Failures {
    private Failures() {}

    /** Failures of ours, in whose message nothing needs explaining, as an engine passes them on. */
    private static final Pattern TELLING =
            Pattern.compile(
                    "[\\w.]*\\.(RunFailedException|RefusedDataException|IllegalArgumentException|IllegalStateException"
                            + "|UncheckedIOException): (.*)",
                    Pattern.DOTALL);

    /**
     * Flink's message about state that no operator of a job takes; uids begin with the run's id.
     */
    private static final Pattern OTHER_RUN =
            Pattern.compile(
                    "Failed to rollback to checkpoint/savepoint (\\S+)\\. Cannot map .* to the new"
                            + " program, because the operator is not available .*",
                    Pattern.DOTALL);

    /** Says where, and leaves it to its cause to say why. */
    private static final Pattern WITHOUT_REASON =
            Pattern.compile("worker \\d+ failed in round \\d+");

    /** The failure's own sentence, or that of its first cause where engines have wrapped it. */
    public static String sentence(Throwable failure) {
        return StoreFailures.sentence(failure).orElseGet(() -> own(failure));
    }

    private static String own(Throwable failure) {
        Throwable telling = failure;
        while (!ours(telling) && telling.getCause() != null) {
            telling = telling.getCause();
        }
        String sentence = telling.toString();
        Matcher matcher = TELLING.matcher(sentence);
        while (matcher.matches()) { // once more for each time it was serialized
            sentence = matcher.group(2);
            matcher = TELLING.matcher(sentence);
        }
        if (WITHOUT_REASON.matcher(sentence).matches() && telling.getCause() != null) {
            return sentence + ": " + own(telling.getCause());
        }
        Matcher otherRun = OTHER_RUN.matcher(sentence);
        return otherRun.matches()
                ? otherRun.group(1)
                        + " is of another run: go on with the settings that it had, of which only"
                        + " --rounds may differ, or start anew without --resume"
                : sentence;
    }

    private static boolean ours(Throwable failure) {
        return failure.getMessage() != null && TELLING.matcher(failure.toString()).matches();
    }
}
