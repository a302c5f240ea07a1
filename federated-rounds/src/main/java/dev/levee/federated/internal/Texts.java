package dev.levee.federated.internal;

import java.util.List;

/** Words for people. */
public final class Texts {
    private Texts() {}

    /** {@code a, b or c}. */
    public static String oneOf(List<String> names) {
        return joined(names, " or ");
    }

    /** {@code a, b and c}. */
    static String allOf(List<String> names) {
        return joined(names, " and ");
    }

    private static String joined(List<String> names, String word) {
        int last = names.size() - 1;
        return last == 0
                ? names.get(0)
                : String.join(", ", names.subList(0, last)) + word + names.get(last);
    }
}
