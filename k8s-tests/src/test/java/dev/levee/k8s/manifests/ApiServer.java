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

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * An API server without a cluster behind it: it stores, and tells who watches. Deployments become
 * available as soon as they are there, as if pods had started; nothing else of a control plane is
 * here, no admission, no garbage collection, no roles.
 */
final class ApiServer implements AutoCloseable {
    private final KubernetesMockServer server;
    private final KubernetesClient client;
    private final SharedIndexInformer<Deployment> deployments;

    private ApiServer(KubernetesMockServer server) {
        this.server = server;
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
        KubernetesMockServer server =
                new KubernetesMockServer(
                        new Context(),
                        new MockWebServer(),
                        new HashMap<>(),
                        new KubernetesCrudDispatcher(kinds),
                        false);
        server.init(InetAddress.getByName("127.0.0.1"), 0);
        return new ApiServer(server);
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
