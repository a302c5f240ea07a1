package dev.levee.k8s.manifests;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;

import okhttp3.mockwebserver.MockWebServer;
import okhttp3.mockwebserver.RecordedRequest;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * An API server without a cluster behind it: it stores, and tells who watches. Deployments become
 * available as soon as they are there, as if pods had started; nothing else of a control plane is
 * here, no admission, no garbage collection, no roles.
 */
final class ApiServer implements AutoCloseable {
    private final KubernetesMockServer server;
    private final MockWebServer web;
    private final KubernetesClient client;
    private final SharedIndexInformer<Deployment> deployments;

    private ApiServer(KubernetesMockServer server, MockWebServer web) {
        this.server = server;
        this.web = web;
        this.client = server.createClient();
        this.deployments =
                client.apps()
                        .deployments()
                        .inAnyNamespace()
                        .inform(
                                new ResourceEventHandler<>() {
                                    @Override
                                    public void onAdd(Deployment added) {
                                        makeAvailable(added);
                                    }

                                    @Override
                                    public void onUpdate(Deployment before, Deployment now) {
                                        makeAvailable(now);
                                    }

                                    @Override
                                    public void onDelete(Deployment deleted, boolean unknown) {}
                                });
    }

    static ApiServer start() throws UnknownHostException {
        List<CustomResourceDefinitionContext> kinds =
                List.of(kind("FlinkDeployment"), kind("FlinkSessionJob"));
        MockWebServer web = new MockWebServer();
        KubernetesMockServer server =
                new KubernetesMockServer(
                        new Context(),
                        web,
                        new HashMap<>(),
                        new KubernetesCrudDispatcher(kinds),
                        false);
        server.init(InetAddress.getByName("127.0.0.1"), 0);
        return new ApiServer(server, web);
    }

    private static CustomResourceDefinitionContext kind(String kind) {
        return new CustomResourceDefinitionContext.Builder()
                .withGroup("flink.apache.org")
                .withVersion("v1beta1")
                .withKind(kind)
                .withPlural(kind.toLowerCase(Locale.ROOT) + "s")
                .withScope("Namespaced")
                .withStatusSubresource(true)
                .build();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getPort());
    }

    KubernetesClient client() {
        return client;
    }

    /** What those asked for who had this token, since the last call. */
    Set<String> rightsUsed(String token) throws InterruptedException {
        Set<String> used = new TreeSet<>();
        while (true) {
            RecordedRequest request = web.takeRequest(1, TimeUnit.MILLISECONDS);
            if (request == null) {
                return used;
            }
            if (("Bearer " + token).equals(request.getHeader("Authorization"))) {
                used.add(Rights.of(request));
            }
        }
    }

    private void makeAvailable(Deployment deployment) {
        Integer replicas = Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1);
        DeploymentStatus status = deployment.getStatus();
        if (status != null && replicas.equals(status.getAvailableReplicas())) {
            return;
        }
        deployment.setStatus(
                new DeploymentStatusBuilder()
                        .withReplicas(replicas)
                        .withReadyReplicas(replicas)
                        .withUpdatedReplicas(replicas)
                        .withAvailableReplicas(replicas)
                        .addNewCondition()
                        .withType("Available")
                        .withStatus("True")
                        .endCondition()
                        .build());
        client.resource(deployment).updateStatus();
    }

    @Override
    public void close() {
        deployments.close();
        client.close();
        server.destroy();
    }
}
