package dev.levee.k8s.kubernetes;

import java.util.Optional;

/**
 * The resources that an allocator manages.
 *
 * @param namespace namespace of the resources; empty for all namespaces
 * @param selector labels that resources must have besides {@link Keys#ELASTIC}, such as {@code
 *     team=vision}
 */
public record ResourceScope(Optional<String> namespace, Optional<String> selector) {
    /** All elastic resources of one namespace. */
    static ResourceScope of(String namespace) {
        return new ResourceScope(Optional.of(namespace), Optional.empty());
    }

    /** All elastic resources of the whole cluster. */
    static ResourceScope everywhere() {
        return new ResourceScope(Optional.empty(), Optional.empty());
    }

    /** This scope, restricted to resources with these labels. */
    ResourceScope with(String labels) {
        return new ResourceScope(namespace, Optional.of(labels));
    }

    String labels() {
        return Keys.ELASTIC + "=true" + selector.map(more -> "," + more).orElse("");
    }
}
