package dev.levee.gar.internal;

import dev.levee.gar.Arguments;
import dev.levee.gar.Factory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;

/**
 * Creates objects by name: {@code name}, {@code name(value)}, {@code name(parameter=value)}. A bare
 * word that is a parameter's name switches it on.
 */
public final class Registry<T> {
    private record Entry<T>(List<String> parameters, Function<Arguments, T> factory) {}

    private final String kind;
    private final Map<String, Entry<T>> entries = new LinkedHashMap<>();

    /** An empty registry of things of a kind, as error messages call them. */
    public Registry(String kind) {
        this.kind = kind;
    }

    /** Adds a name with its parameters in the order of positional values. */
    public Registry<T> add(String name, Function<Arguments, T> factory, String... parameters) {
        entries.put(name, new Entry<>(List.of(parameters), factory));
        return this;
    }

    /**
     * Adds objects of other providers.
     *
     * @throws IllegalArgumentException if a name is taken
     */
    public Registry<T> addAll(Class<? extends Factory<T>> kindOfFactory) {
        for (Factory<T> factory : ServiceLoader.load(kindOfFactory)) {
            String name = factory.name();
            if (entries.containsKey(name)) {
                throw new IllegalArgumentException(
                        "the name %s of %s is taken by another %s"
                                .formatted(name, factory.getClass().getName(), kind));
            }
            entries.put(name, new Entry<>(List.copyOf(factory.parameters()), factory::create));
        }
        return this;
    }

    /** The known names in order of addition. */
    public Set<String> names() {
        return entries.keySet();
    }

    /** True if the text begins with a known name. */
    public boolean knows(String text) {
        return entries.containsKey(nameOf(text));
    }

    /** Makes what the text names. */
    public T parse(String text) {
        String name = nameOf(text);
        Entry<T> entry = entries.get(name);
        if (entry == null) {
            throw new IllegalArgumentException(
                    "unknown "
                            + kind
                            + (name.isEmpty() ? " (no name given)" : " " + name)
                            + ": known are "
                            + String.join(", ", names()));
        }
        return entry.factory().apply(new Arguments(name, arguments(name, entry, text.strip())));
    }

    /** Splits at a separator outside parentheses. */
    public static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth--;
            } else if (c == separator && depth == 0) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    private static String nameOf(String text) {
        int open = text.indexOf('(');
        return (open < 0 ? text : text.substring(0, open)).strip();
    }

    private static <T> Map<String, String> arguments(String name, Entry<T> entry, String text) {
        Map<String, String> values = new HashMap<>();
        int open = text.indexOf('(');
        if (open < 0) {
            return values;
        }
        if (!text.endsWith(")")) {
            throw new IllegalArgumentException(
                    text + ": the parameters of " + name + " must end with )");
        }
        String inside = text.substring(open + 1, text.length() - 1);
        if (inside.isBlank()) {
            return values;
        }
        List<String> parameters = entry.parameters();
        if (parameters.isEmpty()) {
            throw new IllegalArgumentException(name + " takes no parameters, got " + inside);
        }
        String known = String.join(", ", parameters);
        int position = 0;
        for (String argument : split(inside, ',')) {
            int equals = argument.indexOf('=');
            boolean named = equals >= 0 && nameOf(argument).contains("=");
            String value = (named ? argument.substring(equals + 1) : argument).strip();
            String parameter;
            if (named) {
                parameter = argument.substring(0, equals).strip();
            } else if (parameters.contains(value)) {
                parameter = value;
                value = "true";
            } else if (position < parameters.size()) {
                parameter = parameters.get(position++);
            } else {
                throw new IllegalArgumentException(
                        name + " takes " + known + " only, got " + value + " too many");
            }
            if (!parameters.contains(parameter)) {
                throw new IllegalArgumentException(
                        name + " has no parameter " + parameter + ": it takes " + known);
            }
            if (values.putIfAbsent(parameter, value) != null) {
                throw new IllegalArgumentException(name + ": " + parameter + " is given twice");
            }
        }
        return values;
    }
}
