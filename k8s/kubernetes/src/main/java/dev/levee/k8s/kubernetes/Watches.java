package dev.levee.k8s.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The resources of a scope, kept up to date by the API server. */
final class Watches implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Api api;
    private final ResourceScope scope;
    private final Map<FlinkResource.Kind, SharedIndexInformer<GenericKubernetesResource>>
            informers = new EnumMap<>(FlinkResource.Kind.class);

    private Watches(KubernetesClient client, ResourceScope scope) {
        this.api = new Api(client);
        this.scope = scope;
        for (FlinkResource.Kind kind : FlinkResource.Kind.values()) {
            informers.put(kind, of(kind).runnableInformer(0));
        }
    }

    private FilterWatchListDeletable<
                    GenericKubernetesResource,
                    GenericKubernetesResourceList,
                    Resource<GenericKubernetesResource>>
            of(FlinkResource.Kind kind) {
        var all = api.client().genericKubernetesResources(kind.context());
        var chosen =
                scope.namespace().isPresent()
                        ? all.inNamespace(scope.namespace().get())
                        : all.inAnyNamespace();
        return chosen.withLabelSelector(scope.labels());
    }

    static Watches start(KubernetesClient client, ResourceScope scope) throws IOException {
        Watches watches = new Watches(client, scope);
        try {
            for (FlinkResource.Kind kind : FlinkResource.Kind.values()) {
                watches.start(kind);
            }
            return watches;
        } catch (IOException e) {
            watches.close();
            throw e;
        }
    }

    private void start(FlinkResource.Kind kind) throws IOException {
        SharedIndexInformer<GenericKubernetesResource> informer = informers.get(kind);
        // A failure at the start is reported at once; later ones are retried.
        informer.exceptionHandler((started, failure) -> started);
        try {
            informer.start().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            String where = scope.namespace().orElse(null);
            throw new IOException(api.sentence("list", kind.plural(), where, e.getCause()), e);
        } catch (TimeoutException e) {
            throw new IOException(
                    "no API server answers at %s within %d s"
                            .formatted(api.client().getMasterUrl(), PATIENCE.toSeconds()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the API server", e);
        }
    }

    /**
     * All resources of the scope.
     *
     * @throws IOException if the API server no longer answers
     */
    List<FlinkResource> all() throws IOException {
        // A watch that has lost its server waits without an error, so ask the server.
        FlinkResource.Kind kind = FlinkResource.Kind.FLINK_DEPLOYMENT;
        ListOptions one = new ListOptionsBuilder().withLimit(1L).build();
        String where = scope.namespace().orElse(null);
        api.call("list", kind.plural(), where, () -> of(kind).list(one));
        List<FlinkResource> all = new ArrayList<>();
        for (var entry : informers.entrySet()) {
            if (!entry.getValue().isWatching()) {
                throw new IOException(
                        "the API server at %s no longer reports changes of %s; levee keeps trying"
                                .formatted(api.client().getMasterUrl(), entry.getKey().plural()));
            }
            for (GenericKubernetesResource resource : entry.getValue().getStore().list()) {
                all.add(FlinkResource.of(entry.getKey(), resource));
            }
        }
        return all;
    }

    /** The newest version of a resource; empty if it was deleted or is no longer in the scope. */
    Optional<FlinkResource> newest(FlinkResource old) {
        String key = old.namespace() + "/" + old.name();
        return Optional.ofNullable(informers.get(old.kind()).getStore().getByKey(key))
                .map(resource -> FlinkResource.of(old.kind(), resource))
                .filter(resource -> resource.uid().equals(old.uid()));
    }

    @Override
    public void close() {
        informers.values().forEach(SharedIndexInformer::stop);
    }
}
