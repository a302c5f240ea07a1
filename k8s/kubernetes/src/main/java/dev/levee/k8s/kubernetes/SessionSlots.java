package dev.levee.k8s.kubernetes;

import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.flink.TaskSlots;
import dev.levee.k8s.flink.rest.FlinkRest;

import io.fabric8.kubernetes.client.KubernetesClient;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Counts the slots of the single session cluster on which all jobs run, whose deployment has a
 * fixed number of TaskManagers. For jobs with their own deployments, the number is unknown: free
 * resources in a namespace also change with other pods and with the operator's restarts.
 */
public final class SessionSlots implements Slots {
    private static final String REMEDY = "; set --slots to the number of workers that fit";

    private final Api api;
    private final Function<FlinkResource, URI> addresses;

    /**
     * Creates an instance that counts slots at each observation.
     *
     * @param addresses the address of a job's Flink REST service
     */
    public SessionSlots(KubernetesClient client, Function<FlinkResource, URI> addresses) {
        this.api = new Api(client);
        this.addresses = addresses;
    }

    @Override
    public int count(List<FlinkResource> resources, List<Observation> jobs) throws IOException {
        Optional<FlinkResource> alone =
                resources.stream()
                        .filter(resource -> resource.kind() == FlinkResource.Kind.FLINK_DEPLOYMENT)
                        .findFirst();
        if (alone.isPresent()) {
            throw new IOException(
                    alone.get() + " has its own cluster, which grows with its job" + REMEDY);
        }
        // A job that names no cluster does not run; the operator reports that.
        List<FlinkResource> placed =
                resources.stream().filter(job -> !job.deployment().isEmpty()).toList();
        List<String> clusters =
                placed.stream()
                        .map(job -> job.namespace() + "/" + job.deployment())
                        .distinct()
                        .toList();
        if (clusters.size() > 1) {
            throw new IOException(
                    "the jobs run on several session clusters, %s, which do not share slots; run one allocator per cluster, each with its own --selector and --name"
                            .formatted(String.join(" and ", clusters)));
        }
        return placed.isEmpty() ? 0 : slots(placed);
    }

    private int slots(List<FlinkResource> resources) throws IOException {
        FlinkResource any = resources.get(0);
        requireFixedSize(any.namespace(), any.deployment());
        Set<String> ids =
                resources.stream()
                        .flatMap(resource -> resource.jobId().stream())
                        .collect(Collectors.toSet());
        return TaskSlots.beside(new FlinkRest(address(resources)), ids);
    }

    /**
     * The address of the cluster: the first valid one, because some jobs may name the service
     * wrongly.
     */
    private URI address(List<FlinkResource> resources) throws IOException {
        String why = "";
        for (FlinkResource resource : resources) {
            try {
                return addresses.apply(resource);
            } catch (IllegalArgumentException e) {
                why = resource + ": " + e.getMessage();
            }
        }
        throw new IOException(why);
    }

    private void requireFixedSize(String namespace, String name) throws IOException {
        FlinkResource.Kind kind = FlinkResource.Kind.FLINK_DEPLOYMENT;
        var found =
                api.call(
                        "get",
                        kind.plural(),
                        namespace,
                        () ->
                                api.client()
                                        .genericKubernetesResources(kind.context())
                                        .inNamespace(namespace)
                                        .withName(name)
                                        .get());
        if (found == null) {
            throw new IOException("there is no FlinkDeployment %s/%s".formatted(namespace, name));
        }
        if (!FlinkResource.of(kind, found).isStandalone()) {
            throw new IOException(
                    "FlinkDeployment %s/%s is in native mode, in which TaskManagers come and go with the jobs"
                                    .formatted(namespace, name)
                            + REMEDY);
        }
    }
}
