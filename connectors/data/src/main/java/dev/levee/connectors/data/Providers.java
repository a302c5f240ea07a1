package dev.levee.connectors.data;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What services of one kind there are by name, Levee's own and those from outside. They are looked
 * for anew each time: a process that runs several jobs has other ones for each of them.
 *
 * @param <T> the kind of service
 */
public final class Providers<T> {
    private final String kind;
    private final Map<String, T> byName = new TreeMap<>();

    private Providers(String kind) {
        this.kind = kind;
    }

    /**
     * Finds all services that this class' loader or the thread's context loader sees.
     *
     * @param kind what messages call one of them
     * @param own those that are known without being announced
     * @throws IllegalArgumentException if two have the same name
     */
    public static <T> Providers<T> of(
            Class<T> service, String kind, Function<T, String> name, Collection<T> own) {
        Providers<T> providers = new Providers<>(kind);
        own.forEach(provider -> providers.add(provider, name));
        Set<String> seen = new HashSet<>();
        Stream.of(service.getClassLoader(), Thread.currentThread().getContextClassLoader())
                .distinct()
                .flatMap(loader -> ServiceLoader.load(service, loader).stream())
                .filter(provider -> seen.add(provider.type().getName()))
                .forEach(provider -> providers.add(provider.get(), name));
        return providers;
    }

    private void add(T provider, Function<T, String> name) {
        T other = byName.putIfAbsent(name.apply(provider), provider);
        if (other != null) {
            throw new IllegalArgumentException(
                    "the %s %s is brought by %s and by %s: leave one of them out"
                            .formatted(
                                    kind,
                                    name.apply(provider),
                                    other.getClass().getName(),
                                    provider.getClass().getName()));
        }
    }

    /**
     * The service of a name.
     *
     * @param text what was asked for, for the message
     * @param form how a service is asked for, for the message
     * @throws IllegalArgumentException if there is none; the sentence says which there are
     */
    public T get(String name, String text, Function<T, String> form) {
        T provider = byName.get(name);
        if (provider == null) {
            throw new IllegalArgumentException(
                    "unknown " + kind + " " + text + ": it has to be " + known(form));
        }
        return provider;
    }

    /** All of them, by name. */
    public Collection<T> all() {
        return Collections.unmodifiableCollection(byName.values());
    }

    private String known(Function<T, String> form) {
        StringJoiner known = new StringJoiner(", ");
        byName.values().forEach(provider -> known.add(form.apply(provider)));
        int last = known.toString().lastIndexOf(", ");
        return last < 0
                ? known.toString()
                : known.toString().substring(0, last)
                        + " or "
                        + known.toString().substring(last + 2);
    }
}
