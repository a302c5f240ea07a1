package dev.levee.k8s.kubernetes;

import dev.levee.k8s.allocator.InMemoryJobStore;
import dev.levee.k8s.allocator.store.MemoryJson;
import dev.levee.k8s.allocator.store.StoreContent;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;

/**
 * A store in one ConfigMap, which is replaced atomically at each {@link #flush}, unless another
 * writer has changed it in between. If the content grows too large, the oldest measurements are
 * left out.
 */
public final class ConfigMapJobStore extends InMemoryJobStore {
    private static final String KEY = "memory.json";
    private static final String RESOURCE = "configmaps";

    /**
     * Maximum bytes of the text: below the 1 MiB that the API server accepts, with room for the
     * rest of the resource.
     */
    private static final int MOST_BYTES = 1_000_000;

    private final Api api;
    private final String namespace;
    private final String name;

    /** The content that the ConfigMap is known to have; null if it has none. */
    private String known;

    /** The content that was last sent, even if the server did not answer; null if there is none. */
    private String attempted;

    private ConfigMapJobStore(Api api, String namespace, String name) throws IOException {
        this.api = api;
        this.namespace = namespace;
        this.name = name;
        this.known = text(read());
        this.attempted = known;
    }

    /**
     * Opens a ConfigMap, which need not exist yet.
     *
     * @throws IllegalArgumentException if its content is not a store; one sentence
     * @throws IOException if it cannot be read
     */
    public static ConfigMapJobStore open(KubernetesClient client, String namespace, String name)
            throws IOException {
        ConfigMapJobStore store = new ConfigMapJobStore(new Api(client), namespace, name);
        if (store.known != null) {
            MemoryJson.read(store.toString(), store.known).into(store);
        }
        return store;
    }

    private static String text(Optional<ConfigMap> map) {
        return map.map(ConfigMap::getData).map(data -> data.get(KEY)).orElse(null);
    }

    private Optional<ConfigMap> read() throws IOException {
        return Optional.ofNullable(
                api.call(
                        "get",
                        RESOURCE,
                        namespace,
                        () ->
                                api.client()
                                        .configMaps()
                                        .inNamespace(namespace)
                                        .withName(name)
                                        .get()));
    }

    /**
     * Replaces the ConfigMap.
     *
     * @throws UncheckedIOException if it cannot be written or does not fit; the ConfigMap then
     *     stays unchanged
     * @throws IllegalStateException if another writer has changed it; the store must then be opened
     *     again
     */
    @Override
    public void flush() {
        try {
            String fresh = MemoryJson.write(StoreContent.of(this), MOST_BYTES);
            if (!fresh.equals(known) || !fresh.equals(attempted)) {
                replace(fresh);
            }
        } catch (IllegalArgumentException e) {
            throw new UncheckedIOException(
                    new IOException("cannot write the store " + this + ": " + e.getMessage(), e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void replace(String text) throws IOException {
        Optional<ConfigMap> now = read();
        String there = text(now);
        if (there != null && !there.equals(known) && !there.equals(attempted)) {
            throw new IllegalStateException(
                    "the store %s was written by someone else; only one allocator may use it"
                            .formatted(this));
        }
        attempted = text;
        ConfigMap map = with(now, text);
        if (now.isPresent()) {
            api.call("update", RESOURCE, namespace, () -> api.client().resource(map).update());
        } else {
            api.call("create", RESOURCE, namespace, () -> api.client().resource(map).create());
        }
        known = text;
    }

    /**
     * Returns the ConfigMap to write. It has the version that was read, so that the write fails if
     * another one came in between.
     */
    private ConfigMap with(Optional<ConfigMap> now, String text) {
        return now.map(ConfigMapBuilder::new)
                .orElseGet(
                        () ->
                                new ConfigMapBuilder()
                                        .withNewMetadata()
                                        .withNamespace(namespace)
                                        .withName(name)
                                        .addToLabels("app.kubernetes.io/managed-by", "levee")
                                        .endMetadata())
                .withData(Map.of(KEY, text))
                .build();
    }

    @Override
    public String toString() {
        return "ConfigMap " + namespace + "/" + name;
    }
}
