package dev.levee.k8s.kubernetes;

import dev.levee.k8s.allocator.Cluster;
import dev.levee.k8s.allocator.ClusterObservation;
import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.flink.BatchControl;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Observes and scales the jobs that the Flink Kubernetes Operator runs. Decisions change the
 * specifications of the jobs' resources, and the operator carries these changes out. Not
 * thread-safe.
 */
public final class KubernetesCluster implements Cluster, AutoCloseable {
    private static final PatchContext PATCH =
            new PatchContext.Builder()
                    .withPatchType(PatchType.JSON_MERGE)
                    .withFieldManager("levee")
                    .build();

    private final Api api;
    private final Watches watches;
    private final Jobs jobs;
    private final Slots slots;
    private final Clock clock;
    private final EventReporter happenings;
    private final ResourceView sight;
    private final boolean dry;
    private final ControlMaps controls;
    private Map<String, ObservedResource> latest = Map.of();

    private KubernetesCluster(
            Api api,
            Watches watches,
            Jobs jobs,
            Slots slots,
            Clock clock,
            EventReporter happenings,
            ResourceView sight,
            boolean dry) {
        this.api = api;
        this.watches = watches;
        this.jobs = jobs;
        this.slots = slots;
        this.clock = clock;
        this.happenings = happenings;
        this.sight = sight;
        this.dry = dry;
        this.controls = new ControlMaps(api);
    }

    /**
     * Watches a cluster until it is closed.
     *
     * @param client the connection; stays open
     * @param scope the resources to manage
     * @param slots the number of workers that fit
     * @param jobs reads running jobs
     * @param addresses the address of a job's Flink REST service
     * @param clock the time of batch decisions
     * @param listener receives a sentence for each event
     * @param dry true to change nothing, not even by an Event
     * @throws IOException if the API server does not answer or forbids it; one sentence
     */
    public static KubernetesCluster watch(
            KubernetesClient client,
            ResourceScope scope,
            Slots slots,
            Jobs jobs,
            Function<FlinkResource, URI> addresses,
            Clock clock,
            Consumer<String> listener,
            boolean dry)
            throws IOException {
        Api api = new Api(client);
        EventReporter happenings = new EventReporter(api, clock, listener, dry);
        ResourceView sight =
                new ResourceView(jobs, addresses, new EventReporter(api, clock, listener, dry));
        Watches watches = Watches.start(client, scope);
        return new KubernetesCluster(api, watches, jobs, slots, clock, happenings, sight, dry);
    }

    /**
     * The address of a job's REST service: the one in an annotation, otherwise the operator's.
     *
     * @throws IllegalArgumentException if the annotation is not an address; one sentence
     */
    public static URI restOf(FlinkResource resource) {
        return resource.annotation(Keys.REST)
                .map(KubernetesCluster::address)
                .orElseGet(
                        () ->
                                URI.create(
                                        "http://%s-rest.%s:8081"
                                                .formatted(
                                                        resource.deployment(),
                                                        resource.namespace())));
    }

    private static URI address(String text) {
        try {
            URI address = new URI(text.trim());
            if (address.getHost() != null
                    && Set.of("http", "https").contains(address.getScheme())) {
                return address;
            }
        } catch (URISyntaxException e) {
            // Reported below, like addresses of another kind.
        }
        throw new IllegalArgumentException(
                "annotation %s must be an address such as http://jobs-rest.training:8081, got '%s'"
                        .formatted(Keys.REST, text));
    }

    @Override
    public ClusterObservation observe() throws IOException {
        List<FlinkResource> all = watches.all();
        happenings.forgetOthersThan(all);
        sight.events().forgetOthersThan(all);
        Map<String, ObservedResource> seen = sight.see(all);
        jobs.retain(
                all.stream()
                        .flatMap(resource -> resource.jobId().stream())
                        .collect(Collectors.toSet()));
        List<ObservedResource> needy =
                seen.values().stream().filter(ObservedResource::needsRoom).toList();
        int room =
                slots.count(
                        needy.stream().map(ObservedResource::resource).toList(),
                        needy.stream().map(ObservedResource::observation).toList());
        latest = seen;
        List<Observation> observations =
                seen.values().stream().map(ObservedResource::observation).toList();
        return new ClusterObservation(room, observations);
    }

    @Override
    public void act(Decision decision) throws IOException {
        ObservedResource seen = latest.get(decision.job());
        if (dry
                || seen == null
                || seen.kind() == ObservedResource.Kind.HELD
                || seen.kind() == ObservedResource.Kind.OVER) {
            return;
        }
        Optional<FlinkResource> newest = watches.newest(seen.resource());
        if (newest.isEmpty()) {
            return;
        }
        FlinkResource now = newest.get();
        if (now.generation() != seen.resource().generation() || !now.isSettled()) {
            throw new IOException(
                    "%s has changed since levee read it; the next decision includes the change"
                            .formatted(now));
        }
        patch(seen, now, decision);
        if (seen.kind() == ObservedResource.Kind.RUNNING && decision.workers() > 0) {
            try {
                control(seen, now, decision);
                happenings.content(now);
            } catch (ControlMaps.TakenException e) {
                happenings.complain(now, "BatchKept", e.getMessage());
            }
        }
    }

    private void patch(ObservedResource seen, FlinkResource now, Decision decision)
            throws IOException {
        Optional<ResourcePatch> made = ResourcePatch.of(seen, now, decision);
        if (made.isEmpty()) {
            return;
        }
        ResourcePatch patch = made.get();
        api.call(
                "patch",
                now.kind().plural(),
                now.namespace(),
                () ->
                        api.client()
                                .genericKubernetesResources(now.kind().context())
                                .inNamespace(now.namespace())
                                .withName(now.name())
                                .patch(PATCH, patch.json().toString()));
        patch.reason().ifPresent(reason -> happenings.done(now, reason, decision.why()));
    }

    private void control(ObservedResource seen, FlinkResource now, Decision decision)
            throws IOException {
        Optional<BatchControl> before = controls.read(now);
        int known = before.map(BatchControl::maxBatchSize).orElse(0);
        int fits = seen.observation().fittingBatch();
        BatchControl control =
                BatchControl.of(
                        decision,
                        fits > 0 ? fits : known,
                        before.map(BatchControl::timestamp).orElse(0L),
                        clock);
        if (controls.write(now, control)
                && decision.localBatch() != seen.observation().localBatch()) {
            happenings.done(now, "BatchChanged", decision.why());
        }
    }

    @Override
    public void close() {
        watches.close();
    }
}
