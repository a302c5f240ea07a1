package dev.levee.jobs.internal.config;

import dev.levee.operators.rounds.training.Admission;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the option for adding up gradients on their way to the server. {@code host} adds up the
 * gradients within each process. {@code tree(k)} also adds up those of several processes, so that
 * at most k processes send to the server where that is faster.
 */
final class Combining {
    /** The value of the option for not adding up gradients, as if it were not given. */
    static final String NONE = "none";

    private static final Pattern TREE = Pattern.compile("tree\\(\\s*([1-9]\\d{0,3})\\s*\\)");

    private Combining() {}

    /**
     * Returns the maximum number of processes that send sums to the server.
     *
     * @param text the value of the option, null if it is not given
     * @return 0 if gradients are not added up
     * @throws IllegalArgumentException if the value is invalid; one sentence
     */
    static int fanIn(String text) {
        if (text == null) {
            return 0;
        }
        if (text.equals("host")) {
            return Admission.ALL;
        }
        Matcher tree = TREE.matcher(text);
        if (!tree.matches()) {
            throw new IllegalArgumentException(
                    "--combine must be none, host, or tree(k) with a whole number k of at least 1,"
                            + " got "
                            + text);
        }
        return Integer.parseInt(tree.group(1));
    }
}
