package dev.levee.k8s.kubernetes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;

import okhttp3.mockwebserver.MockWebServer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * An API server in this JVM, which keeps what it is told and knows the operator's resources; or a
 * real one without the operator, which {@code LEVEE_TEST_KUBECONFIG} names.
 */
final class ApiServer implements AutoCloseable {
    /** Where tests keep what they make. */
    static final String NAMESPACE = "levee-test";

    private static final String REAL = System.getenv("LEVEE_TEST_KUBECONFIG");
    private static final Logger REQUESTS = Logger.getLogger(MockWebServer.class.getName());

    static {
        REQUESTS.setLevel(Level.WARNING);
    }

    private final KubernetesMockServer server =
            new KubernetesMockServer(
                    new Context(),
                    new MockWebServer(),
                    new HashMap<>(),
                    new KubernetesCrudDispatcher(),
                    false);
    private final Relay relay;

    ApiServer() throws IOException {
        server.init(InetAddress.getLoopbackAddress(), 0);
        relay = new Relay(server.getPort());
        try (KubernetesClient client = client()) {
            for (FlinkResource.Kind kind : FlinkResource.Kind.values()) {
                String file = kind.plural() + ".flink.apache.org-v1.yml";
                try (InputStream crd =
                        ApiServer.class.getResourceAsStream("/META-INF/fabric8/" + file)) {
                    var definition =
                            client.apiextensions().v1().customResourceDefinitions().load(crd);
                    if (definition.get() == null) {
                        definition.create();
                    }
                }
            }
            if (REAL != null) {
                clean(client);
            }
        }
    }

    /** A namespace in which nobody has made anything. */
    private static void clean(KubernetesClient client) {
        client.namespaces().withName(NAMESPACE).delete();
        client.namespaces()
                .withName(NAMESPACE)
                .waitUntilCondition(Objects::isNull, 2, TimeUnit.MINUTES);
        client.namespaces()
                .resource(
                        new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(NAMESPACE)
                                .endMetadata()
                                .build())
                .create();
    }

    /** A connection of its own. */
    KubernetesClient client() {
        return new KubernetesClientBuilder().withConfig(REAL == null ? here() : real()).build();
    }

    private Config here() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + relay.port())
                .withNamespace(NAMESPACE)
                .withHttp2Disable(true)
                .withRequestRetryBackoffLimit(0)
                .build();
    }

    private static Config real() {
        try {
            return Config.fromKubeconfig(Files.readString(Path.of(REAL)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Cannot be reached for a while. */
    void away(Runnable meanwhile) throws IOException {
        assumeTrue(REAL == null, "a real API server is not cut off");
        relay.cut(meanwhile);
    }

    /** Does what the next request of this method says, and nobody hears of it. */
    void loseAnswerTo(String method) {
        assumeTrue(REAL == null, "a real API server's answers are not lost");
        relay.loseAnswerTo(method);
    }

    @Override
    public void close() throws IOException {
        relay.close();
        server.destroy();
    }
}
