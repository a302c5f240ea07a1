package dev.levee.k8s.kubernetes;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/** What an API server refuses is one sentence. */
class ApiTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "403|the API server does not permit levee to list flinkdeployments in namespace training; a role must allow it",
                "401|could not authenticate the request",
                "404|is the Flink Kubernetes Operator installed",
                "500|could not list flinkdeployments in namespace training"
            })
    void aRefusalIsOneSentence(int code, String sentence) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] answer =
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":%d}"
                        .formatted(code)
                        .getBytes(StandardCharsets.UTF_8);
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(code, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        server.start();
        Config config =
                new ConfigBuilder(Config.empty())
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withRequestRetryBackoffLimit(0)
                        .build();
        try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
            assertThatThrownBy(
                            () ->
                                    KubernetesCluster.watch(
                                            client,
                                            ResourceScope.of("training"),
                                            Slots.fixed(8),
                                            new FlinkJobs(),
                                            KubernetesCluster::restOf,
                                            Clock.systemUTC(),
                                            said -> {},
                                            false))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(sentence);
        } finally {
            server.stop(0);
        }
    }

    /** As from a machine without a KUBECONFIG, where the client asks the server of its pod. */
    @Test
    void anUnknownServerSaysWhatIsMissing() {
        Config config =
                new ConfigBuilder(Config.empty())
                        .withMasterUrl("https://kubernetes.default.svc.invalid")
                        .withRequestRetryBackoffLimit(0)
                        .build();
        try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
            assertThatThrownBy(
                            () ->
                                    new Api(client)
                                            .call(
                                                    "list",
                                                    "flinkdeployments",
                                                    "training",
                                                    () ->
                                                            client.configMaps()
                                                                    .inNamespace("training")
                                                                    .list()))
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "no API server answers at https://kubernetes.default.svc.invalid/: the"
                                    + " host name is unknown; outside of Kubernetes, KUBECONFIG"
                                    + " must name a file");
        }
    }
}
