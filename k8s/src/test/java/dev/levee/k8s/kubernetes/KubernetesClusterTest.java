package dev.levee.k8s.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;

import org.junit.jupiter.api.Test;

class KubernetesClusterTest {
    @Test
    void smoke() throws Exception {
        try (ApiServer server = new ApiServer();
                KubernetesClient client = server.client();
                KubernetesCluster cluster =
                        KubernetesCluster.watch(
                                client,
                                Scope.of("training"),
                                Slots.fixed(8),
                                (rest, job) -> java.util.Optional.empty(),
                                KubernetesCluster::restOf,
                                java.time.Clock.systemUTC(),
                                System.out::println)) {
            assertThat(cluster.observe().jobs()).isEmpty();
        }
    }
}
