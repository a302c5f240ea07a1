package dev.levee.k8s.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A Lease that only one allocator at a time holds. An allocator that has lost the Lease must end;
 * the Lease is not requested again.
 */
public final class Leadership implements AutoCloseable {
    /**
     * The times of a Lease.
     *
     * @param lease time without renewal after which another process may take the Lease
     * @param renew time without a successful renewal after which the holder gives up; shorter than
     *     {@code lease}
     * @param retry time between attempts
     */
    public record Terms(Duration lease, Duration renew, Duration retry) {
        /** The times of Kubernetes' own controllers. */
        public static final Terms USUAL =
                new Terms(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
    }

    private final CompletableFuture<Void> won = new CompletableFuture<>();
    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    private final LeaderElector elector;
    private final CompletableFuture<?> election;
    private volatile boolean closed;

    /**
     * Requests the Lease.
     *
     * @param client the connection
     * @param namespace namespace of the Lease
     * @param name name of the Lease
     * @param identity unique identity of this process
     * @param terms the times of the Lease
     * @throws IOException if the API server does not answer or forbids it; one sentence
     */
    public static Leadership seek(
            KubernetesClient client, String namespace, String name, String identity, Terms terms)
            throws IOException {
        // Fails if access is forbidden; the elector would retry forever without reporting it.
        new Api(client)
                .call(
                        "get",
                        "leases",
                        namespace,
                        () -> client.leases().inNamespace(namespace).withName(name).get());
        return new Leadership(client, namespace, name, identity, terms);
    }

    private Leadership(
            KubernetesClient client, String namespace, String name, String identity, Terms terms) {
        LeaseLock lock = new OpenLock(namespace, name, identity, won::completeExceptionally);
        elector =
                client.leaderElector()
                        .withConfig(
                                new LeaderElectionConfigBuilder()
                                        .withName(lock.describe())
                                        .withLock(lock)
                                        .withLeaseDuration(terms.lease())
                                        .withRenewDeadline(terms.renew())
                                        .withRetryPeriod(terms.retry())
                                        .withLeaderCallbacks(
                                                new LeaderCallbacks(
                                                        () -> won.complete(null),
                                                        () -> lost.complete(null),
                                                        leader -> {}))
                                        .build())
                        .build();
        election = elector.start();
        election.whenComplete((nothing, failure) -> lost.complete(null));
        lost.thenRun(
                () ->
                        won.completeExceptionally(
                                new IOException(
                                        "Lease %s/%s is no longer requested"
                                                .formatted(namespace, name))));
    }

    /**
     * Waits until this process holds the Lease.
     *
     * @throws IllegalStateException if it cannot get the Lease, for example because no role allows
     *     it; one sentence
     */
    public void await() throws InterruptedException {
        try {
            won.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e);
        }
    }

    /** Runs an action when the Lease is lost, unless it was released by {@link #close}. */
    public void onLost(Runnable action) {
        lost.thenRun(
                () -> {
                    if (!closed) {
                        action.run();
                    }
                });
    }

    /** Releases the Lease, so that another allocator need not wait until it expires. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        election.cancel(true);
        try {
            // The elector's own release on cancel would hide a loss if the server does not answer.
            elector.release();
        } catch (KubernetesClientException e) {
            // The Lease expires anyway.
        }
    }
}
