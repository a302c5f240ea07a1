package dev.levee.federated.internal;

import dev.levee.gar.Arguments;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Parses values that users write as a name, with or without arguments in parentheses. Arguments are
 * given by position or as {@code name=value}, such as {@code adam(0.9, tau=0.01)}.
 *
 * @param <T> type of the values
 */
public final class NamedParser<T> {
    private record Maker<T>(Function<Arguments, T> make, List<String> parameters) {
        private String form(String name) {
            return parameters.isEmpty() ? name : name + "(" + String.join(", ", parameters) + ")";
        }
    }

    private final String kind;
    private final Map<String, Maker<T>> makers = new LinkedHashMap<>();

    /** A parser without names yet; messages call a value {@code kind}. */
    public NamedParser(String kind) {
        this.kind = kind;
    }

    /** Adds a name, with the order of its parameters. */
    public NamedParser<T> add(String name, Function<Arguments, T> make, String... parameters) {
        makers.put(name, new Maker<>(make, List.of(parameters)));
        return this;
    }

    /**
     * Makes what a text says.
     *
     * @throws IllegalArgumentException if it says nothing known; one sentence
     */
    public T parse(String text) {
        String stripped = text.strip();
        int open = stripped.endsWith(")") ? stripped.indexOf('(') : -1;
        String name = open < 0 ? stripped : stripped.substring(0, open).strip();
        Maker<T> maker = makers.get(name);
        if (maker == null) {
            List<String> forms = new ArrayList<>();
            makers.forEach((each, other) -> forms.add(other.form(each)));
            throw new IllegalArgumentException(
                    "unknown %s %s: it has to be %s".formatted(kind, stripped, oneOf(forms)));
        }
        String inner = open < 0 ? "" : stripped.substring(open + 1, stripped.length() - 1);
        return maker.make().apply(new Arguments(name, values(name, inner, maker)));
    }

    private Map<String, String> values(String name, String inner, Maker<T> maker) {
        Map<String, String> values = new HashMap<>();
        String[] parts = inner.isBlank() ? new String[0] : inner.split(",", -1);
        for (int i = 0; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            boolean known =
                    equals >= 0
                            ? maker.parameters().contains(parts[i].substring(0, equals).strip())
                            : i < maker.parameters().size();
            if (!known) {
                throw new IllegalArgumentException(
                        "%s takes %s, got %s"
                                .formatted(
                                        name,
                                        maker.parameters().isEmpty()
                                                ? "no parameters"
                                                : allOf(maker.parameters()),
                                        parts[i].strip()));
            }
            String parameter =
                    equals >= 0 ? parts[i].substring(0, equals).strip() : maker.parameters().get(i);
            if (values.put(parameter, parts[i].substring(equals + 1).strip()) != null) {
                throw new IllegalArgumentException(name + " has " + parameter + " twice");
            }
        }
        return values;
    }

    /** {@code a, b or c}. */
    public static String oneOf(List<String> names) {
        return joined(names, " or ");
    }

    /** {@code a, b and c}. */
    private static String allOf(List<String> names) {
        return joined(names, " and ");
    }

    private static String joined(List<String> names, String word) {
        int last = names.size() - 1;
        return last == 0
                ? names.get(0)
                : String.join(", ", names.subList(0, last)) + word + names.get(last);
    }
}
