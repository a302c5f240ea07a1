package dev.levee.k8s.kubernetes;

import java.util.Optional;

/**
 * The resources that an allocator manages.
 *
 * @param namespace theirs; empty for all namespaces
 * @param selector labels that they have besides {@link Keys#ELASTIC}, such as {@code team=vision}
 */
public record Scope(Optional<String> namespace, Optional<String> selector) {
    /** All elastic resources of one namespace. */
    static Scope of(String namespace) {
        return new Scope(Optional.of(namespace), Optional.empty());
    }

    /** All elastic resources of the whole cluster. */
    static Scope everywhere() {
        return new Scope(Optional.empty(), Optional.empty());
    }

    /** Only resources that have these labels, too. */
    Scope with(String labels) {
        return new Scope(namespace, Optional.of(labels));
    }

    String labels() {
        return Keys.ELASTIC + "=true" + selector.map(more -> "," + more).orElse("");
    }
}
