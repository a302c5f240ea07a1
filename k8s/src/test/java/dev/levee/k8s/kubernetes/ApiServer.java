package dev.levee.k8s.kubernetes;

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
import java.net.InetAddress;
import java.util.HashMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/** An API server in this JVM, which keeps what it is told and knows the operator's resources. */
final class ApiServer implements AutoCloseable {
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
                    client.load(crd).create();
                }
            }
        }
    }

    /** A connection of its own. */
    KubernetesClient client() {
        Config config =
                new ConfigBuilder(Config.empty())
                        .withMasterUrl("http://127.0.0.1:" + relay.port())
                        .withNamespace("training")
                        .withHttp2Disable(true)
                        .withRequestRetryBackoffLimit(0)
                        .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Cannot be reached for a while. */
    void away(Runnable meanwhile) throws IOException {
        relay.cut(meanwhile);
    }

    @Override
    public void close() throws IOException {
        relay.close();
        server.destroy();
    }
}
