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
 * The services of one kind by name, both Levee's own and others. Each call of {@link #of} looks
 * them up again, because jobs in the same process may have different services.
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
     * Finds all services visible to this class's loader or the thread's context loader.
     *
     * @param kind name of the kind in messages
     * @param own services that need no registration
     * @throws IllegalArgumentException if two services have the same name
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
                    "the %s %s is provided by both %s and %s: remove one of them"
                            .formatted(
                                    kind,
                                    name.apply(provider),
                                    other.getClass().getName(),
                                    provider.getClass().getName()));
        }
    }

    /**
     * The service with a name.
     *
     * @param text the requested text, for the message
     * @param form the valid form, for the message
     * @throws IllegalArgumentException if no service has the name; the message lists the valid
     *     names
     */
    public T get(String name, String text, Function<T, String> form) {
        T provider = byName.get(name);
        if (provider == null) {
            throw new IllegalArgumentException(
                    "unknown " + kind + " " + text + ": it must be " + known(form));
        }
        return provider;
    }

    /** All providers, by name. */
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
