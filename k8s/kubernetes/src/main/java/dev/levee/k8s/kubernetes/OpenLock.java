package dev.levee.k8s.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.function.Consumer;

/**
 * A Lease lock that reports if no role allows writing the Lease. The elector alone would only
 * retry.
 */
final class OpenLock extends LeaseLock {
    private final String namespace;
    private final Consumer<IOException> forbidden;

    OpenLock(String namespace, String name, String identity, Consumer<IOException> forbidden) {
        super(namespace, name, identity);
        this.namespace = namespace;
        this.forbidden = forbidden;
    }

    @Override
    public synchronized void create(KubernetesClient client, LeaderElectionRecord fresh) {
        tell(client, "create", () -> super.create(client, fresh));
    }

    @Override
    public synchronized void update(KubernetesClient client, LeaderElectionRecord fresh) {
        tell(client, "patch", () -> super.update(client, fresh));
    }

    private void tell(KubernetesClient client, String verb, Runnable call) {
        try {
            call.run();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                String sentence = new Api(client).sentence(verb, "leases", namespace, e);
                forbidden.accept(new IOException(sentence, e));
            }
            throw e;
        }
    }
}
