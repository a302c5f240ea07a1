package dev.levee.featureextraction.compute;

import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.link.LinkRate;
import dev.levee.featureextraction.link.Message;
import dev.levee.featureextraction.link.MessageStream;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Requests features from a storage tier, at all of its addresses at once. Requests of a lost
 * connection are repeated at any address, and each answer counts once, so a failure costs time but
 * no data. The client gives up if answers neither arrive nor progress for some time, or if the
 * storage tier reports that a request can never be answered.
 */
public final class StorageClient {
    private final List<InetSocketAddress> addresses;
    private final Message.Hello hello;
    private final float[] parameters;
    private final Duration patience;

    /**
     * Statistics of the requests of one call, and the unsent requests.
     *
     * @param bytes received bytes
     * @param sent sent bytes: requests, and parameters if the storage tier lacked them
     * @param rate the rate at which answers came while the client waited for them
     * @param repeated number of answers that came again
     * @param reconnections number of connections that ended early
     * @param left the requests that were not sent
     */
    public record Received(
            long bytes,
            long sent,
            LinkRate rate,
            int repeated,
            int reconnections,
            List<FeatureRequest> left) {
        public Received {
            left = List.copyOf(left);
        }
    }

    /** Listens to the progress of requests; called by one thread at a time. */
    @FunctionalInterface
    public interface Watch {
        /**
         * Called after each answer until it returns false, to send no further requests.
         *
         * @param rate the rate of the link so far
         * @param left the requests that have not been sent
         */
        boolean goOn(LinkRate rate, Collection<FeatureRequest> left);

        /**
         * Called while no answer comes. The requests that wait at the storage tier will have
         * started after {@code seconds}.
         */
        default void waits(double seconds) {
            // Does nothing by default.
        }
    }

    /**
     * @param addresses the addresses of the storage tier
     * @param tenant the name under which the storage tier accounts for the requests
     * @param parameters flat vector of the parameters before the extraction's cut
     * @param patience maximum time without an answer or progress, after the longest wait that the
     *     storage tier has reported
     */
    public StorageClient(
            List<InetSocketAddress> addresses,
            String tenant,
            Extraction extraction,
            float[] parameters,
            Duration patience) {
        this.addresses = List.copyOf(addresses);
        this.hello = new Message.Hello(tenant, extraction, MessageStream.hash(parameters));
        this.parameters = parameters;
        this.patience = patience;
    }

    /**
     * Sends requests until all answers have arrived.
     *
     * @param requests requests with distinct indexes
     * @param taker receives each answer once, one at a time
     * @throws IllegalStateException if answers stop coming, or one will never come; one sentence
     */
    public Received fetch(List<FeatureRequest> requests, Consumer<FeatureBatch> taker)
            throws InterruptedException {
        return fetch(requests, taker, (rate, left) -> true);
    }

    /** As above. If the watch stops it, only the answers to requests sent before are awaited. */
    public Received fetch(List<FeatureRequest> requests, Consumer<FeatureBatch> taker, Watch watch)
            throws InterruptedException {
        Fetch fetch = new Fetch(addresses, hello, parameters, patience, requests, taker, watch);
        List<Thread> threads = new ArrayList<>();
        for (InetSocketAddress address : addresses) {
            Thread thread = new Thread(() -> fetch.from(address), "features from " + address);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        try {
            fetch.await();
        } finally {
            fetch.end();
            for (Thread thread : threads) {
                thread.join();
            }
        }
        return fetch.received();
    }
}
