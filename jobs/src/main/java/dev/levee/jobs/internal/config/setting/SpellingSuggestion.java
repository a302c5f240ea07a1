package dev.levee.jobs.internal.config.setting;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Suggests the known name closest to a mistyped one. */
public final class SpellingSuggestion {
    /** Messages of registries that list the known names. */
    private static final Pattern UNKNOWN =
            Pattern.compile(
                    "unknown [a-z -]+? ([^\\s:;(]+).*?[:;] (?:known are|it must be|there are) (.*)",
                    Pattern.DOTALL);

    private static final Pattern NOT_ONE_OF =
            Pattern.compile("must be one of (.*), got (\\S+)$", Pattern.DOTALL);

    /** A name in a list. Other text does not match, such as the end of a formula. */
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}_.+-]*");

    private SpellingSuggestion() {}

    /** Adds the name that was probably meant to a message that lists names. */
    public static String hint(String sentence) {
        if (sentence.contains("did you mean")) {
            return sentence;
        }
        Matcher unknown = UNKNOWN.matcher(sentence);
        Matcher notOneOf = NOT_ONE_OF.matcher(sentence);
        Optional<String> meant = Optional.empty();
        if (unknown.find()) {
            meant = nearest(unknown.group(1), names(unknown.group(2)));
        } else if (notOneOf.find()) {
            meant = nearest(notOneOf.group(2), names(notOneOf.group(1)));
        }
        return meant.map(name -> sentence + "; did you mean " + name + "?").orElse(sentence);
    }

    private static List<String> names(String list) {
        return Arrays.stream(list.split(", | or | and | \\| "))
                .map(each -> each.replaceFirst("[(:].*", "").strip())
                .filter(each -> NAME.matcher(each).matches())
                .toList();
    }

    /** The closest of these names, empty if none is close enough. */
    public static Optional<String> nearest(String typed, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt(each -> distance(typed, each)))
                .filter(each -> distance(typed, each) <= Math.max(2, typed.length() / 3))
                // A name without a letter in common is no suggestion.
                .filter(each -> distance(typed, each) < Math.min(typed.length(), each.length()));
    }

    /** Levenshtein distance between two words: insertions, deletions and substitutions. */
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        Arrays.setAll(previous, j -> j);
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(substituted, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
