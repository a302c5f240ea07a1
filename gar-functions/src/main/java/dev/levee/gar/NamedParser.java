package dev.levee.gar;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;

/**
 * Creates objects that users write as a name, with or without arguments in parentheses: {@code
 * name}, {@code name(value)}, {@code name(parameter=value)}. A bare value is for the first
 * parameter that has no value yet. A bare word that is a parameter's name switches that parameter
 * on.
 *
 * @param <T> type of the objects
 */
public final class NamedParser<T> {
    private record Entry<T>(List<String> parameters, Function<Arguments, T> factory) {
        private String form(String name) {
            return parameters.isEmpty() ? name : name + "(" + String.join(", ", parameters) + ")";
        }
    }

    private final String kind;
    private final Map<String, Entry<T>> entries = new LinkedHashMap<>();
    private IllegalArgumentException refusal;

    /** A parser that knows no names yet. Error messages call its objects by {@code kind}. */
    public NamedParser(String kind) {
        this.kind = kind;
    }

    /** Adds a name with its parameters. Bare values are for the parameters in this order. */
    public NamedParser<T> add(String name, Function<Arguments, T> factory, String... parameters) {
        entries.put(name, new Entry<>(List.of(parameters), factory));
        return this;
    }

    /**
     * Adds the factories that {@link ServiceLoader} finds. If one has a taken name or cannot be
     * loaded, every use of this parser fails with one sentence that says so.
     */
    public NamedParser<T> addAll(Class<? extends Factory<T>> kindOfFactory) {
        try {
            ServiceLoader.load(kindOfFactory).forEach(this::add);
        } catch (IllegalArgumentException e) {
            // Thrown here, it would fail the initialization of a class that has a constant parser.
            refusal = e;
        } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
            refusal =
                    new IllegalArgumentException(
                            "a plug-in with a %s could not be loaded: %s".formatted(kind, e), e);
        }
        return this;
    }

    private void add(Factory<T> factory) {
        String name = factory.name();
        if (entries.containsKey(name)) {
            throw new IllegalArgumentException(
                    "the name %s of %s is taken by another %s"
                            .formatted(name, factory.getClass().getName(), kind));
        }
        entries.put(name, new Entry<>(List.copyOf(factory.parameters()), factory::create));
    }

    private Map<String, Entry<T>> entries() {
        if (refusal != null) {
            throw new IllegalArgumentException(refusal.getMessage(), refusal);
        }
        return entries;
    }

    /**
     * The known names in order of addition.
     *
     * @throws IllegalArgumentException if a plug-in is refused; one sentence
     */
    public Set<String> names() {
        return entries().keySet();
    }

    /**
     * True if the text begins with a known name.
     *
     * @throws IllegalArgumentException if a plug-in is refused; one sentence
     */
    public boolean knows(String text) {
        return entries().containsKey(nameOf(text));
    }

    /**
     * Creates the object that the text names.
     *
     * @throws IllegalArgumentException if a name, a parameter or its value is wrong, or a plug-in
     *     is refused; one sentence
     */
    public T parse(String text) {
        String name = nameOf(text);
        Entry<T> entry = entries().get(name);
        if (entry == null) {
            List<String> forms = new ArrayList<>();
            entries.forEach((each, known) -> forms.add(known.form(each)));
            throw new IllegalArgumentException(
                    "unknown %s %s: known are %s"
                            .formatted(
                                    kind,
                                    name.isEmpty() ? "(no name given)" : name,
                                    String.join(", ", forms)));
        }
        return entry.factory().apply(new Arguments(name, arguments(name, entry, text.strip())));
    }

    /** Splits at a separator outside parentheses. */
    static List<String> split(String text, char separator) {
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
            } else {
                List<String> free = new ArrayList<>(parameters);
                free.removeAll(values.keySet());
                if (free.isEmpty()) {
                    throw new IllegalArgumentException(
                            name + " takes " + known + " only, got " + value + " too many");
                }
                parameter = free.get(0);
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
