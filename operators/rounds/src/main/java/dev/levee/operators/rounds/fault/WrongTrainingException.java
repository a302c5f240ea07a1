package dev.levee.operators.rounds.fault;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Thrown for an invalid training. The message is one sentence that names the wrong setting as the
 * training's builder does. {@link #naming} gives the same sentence with other names, such as
 * options of a command line.
 */
public final class WrongTrainingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    private static final Pattern PART = Pattern.compile("\\{(\\w+)}");

    private final String sentence;
    private final String[] values;

    /**
     * @param sentence with each part's name in braces, and %s for values
     */
    WrongTrainingException(String sentence, Object... values) {
        this(null, sentence, Arrays.stream(values).map(String::valueOf).toArray(String[]::new));
    }

    private WrongTrainingException(Throwable cause, String sentence, String[] values) {
        super(naming(sentence, values, UnaryOperator.identity()), cause);
        this.sentence = sentence;
        this.values = values;
    }

    /**
     * Creates an exception about another part.
     *
     * @param about with each part's name in braces
     */
    public static WrongTrainingException of(String about, IllegalArgumentException complaint) {
        return new WrongTrainingException(
                complaint, about + ": %s", new String[] {complaint.getMessage()});
    }

    /**
     * Runs another part's check.
     *
     * @param about with each part's name in braces
     * @throws WrongTrainingException with the check's complaint
     */
    public static void checked(String about, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException e) {
            throw of(about, e);
        }
    }

    /**
     * Returns the sentence with other names.
     *
     * @param names from the builder's name of a part, such as {@code roundTimeout}, to the caller's
     */
    public String naming(UnaryOperator<String> names) {
        return naming(sentence, values, names);
    }

    private static String naming(String sentence, String[] values, UnaryOperator<String> names) {
        String named =
                PART.matcher(sentence).replaceAll((MatchResult m) -> names.apply(m.group(1)));
        return String.format(Locale.ROOT, named, (Object[]) values);
    }

    /**
     * Refuses a training unless a condition holds.
     *
     * @param sentence with each part's name in braces, and %s for values
     * @throws WrongTrainingException with that sentence
     */
    public static void require(boolean condition, String sentence, Object... values) {
        if (!condition) {
            throw new WrongTrainingException(sentence, values);
        }
    }
}
