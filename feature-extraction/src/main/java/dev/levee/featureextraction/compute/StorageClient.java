package dev.levee.featureextraction.compute;

import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.link.LinkMeter;
import dev.levee.featureextraction.link.LinkRate;
import dev.levee.featureextraction.link.Message;
import dev.levee.featureextraction.link.MessageStream;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Requests features from a storage tier, at all of its addresses at once. Requests of a lost
 * connection are repeated at any address, and each answer counts once, so a failure costs time but
 * no data. The client gives up if answers neither arrive nor progress for some time, or if the
 * storage tier reports that a request can never be answered.
 */
public final class StorageClient {
    /** Maximum number of unanswered requests at one address. */
    private static final int WINDOW = 8;

    /**
     * Maximum failures of a request, for requests that progress but fail, or whose connection breaks,
     * each time.
     */
    private static final int MOST_FAILURES = 100;

    private static final int CONNECT_MILLIS = 5_000;

    /** Read timeout. The storage tier sends a heartbeat every five seconds. */
    private static final int SILENCE_MILLIS = 30_000;

    private static final long PAUSE_MILLIS = 250;

    /** How often {@link Fetch#await} looks for bytes that have crossed the link. */
    private static final long LOOK_MILLIS = 1_000;

    /** Bytes of a message in transit that count as progress. Heartbeats have far fewer. */
    private static final long PROGRESS_BYTES = 1 << 14;

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
     * @param patience maximum time without an answer or progress
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
        Fetch fetch = new Fetch(requests, taker, watch);
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

    /** All requests of one call. */
    private final class Fetch {
        private final Consumer<FeatureBatch> taker;
        private final Watch watch;
        private final BitSet wanted = new BitSet();
        private final Deque<FeatureRequest> open = new ArrayDeque<>();
        private final BitSet taken = new BitSet();
        private final Map<Integer, Integer> failures = new HashMap<>();
        private final List<Socket> sockets = new ArrayList<>();
        private final List<MessageStream> streams = new ArrayList<>();
        private final LinkMeter meter = new LinkMeter();
        private long progress = System.nanoTime();
        private long carried;
        private long mostSent;
        private String latest = "it has not answered yet";
        private RuntimeException failure;
        private long turn;
        private boolean stopped;
        private boolean over;
        private long bytes;
        private long sent;
        private int repeated;
        private int reconnections;

        Fetch(List<FeatureRequest> requests, Consumer<FeatureBatch> taker, Watch watch) {
            this.taker = taker;
            this.watch = watch;
            open.addAll(requests);
            requests.forEach(request -> wanted.set(request.index()));
        }

        synchronized void await() throws InterruptedException {
            while (missing() && failure == null) {
                look();
                long left = patience.toNanos() + turn - (System.nanoTime() - progress);
                if (left <= 0) {
                    throw new IllegalStateException(
                            "the storage tier at %s has not answered for %d s: %s"
                                    .formatted(
                                            String.join(
                                                    ", ",
                                                    addresses.stream()
                                                            .map(StorageClient::shown)
                                                            .toList()),
                                            (patience.toNanos() + turn) / 1_000_000_000,
                                            latest));
                }
                wait(Math.min(LOOK_MILLIS, left / 1_000_000 + 1));
            }
            if (failure != null) {
                throw failure;
            }
        }

        /**
         * Restarts the timeout if answers or parameters are crossing the link. Parameters that are
         * sent again count once, so a tier that never accepts them is given up.
         */
        private void look() {
            for (MessageStream stream : streams) {
                mostSent = Math.max(mostSent, stream.sent());
            }
            long now = meter.rate().bytes() + mostSent;
            if (now - carried >= PROGRESS_BYTES) {
                carried = now;
                progress = System.nanoTime();
            }
        }

        /** True if answers are still awaited. */
        private boolean missing() {
            int done = taken.cardinality() + (stopped ? open.size() : 0);
            return done < wanted.cardinality();
        }

        synchronized Received received() {
            List<FeatureRequest> left = new ArrayList<>(open);
            left.sort(Comparator.comparingInt(FeatureRequest::index));
            return new Received(bytes, sent, meter.rate(), repeated, reconnections, left);
        }

        synchronized void end() {
            over = true;
            notifyAll();
            for (Socket socket : sockets) {
                try {
                    socket.close();
                } catch (IOException e) {
                    latest = e.getMessage();
                }
            }
        }

        /** Uses one address, connection after connection, until the call ends. */
        void from(InetSocketAddress address) {
            Map<Integer, FeatureRequest> asked = new HashMap<>();
            while (runs()) {
                try (Socket socket = new Socket()) {
                    remember(socket);
                    socket.connect(address, CONNECT_MILLIS);
                    socket.setSoTimeout(SILENCE_MILLIS);
                    try (MessageStream stream = new MessageStream(socket, meter)) {
                        try {
                            add(stream);
                            talk(stream, asked);
                        } finally {
                            count(stream);
                        }
                    }
                } catch (IOException e) {
                    broken(address, e, asked);
                } catch (RuntimeException e) {
                    fail(e);
                } catch (OutOfMemoryError e) {
                    fail(
                            new IllegalStateException(
                                    "the compute tier has no memory for an answer; use a larger"
                                            + " heap or fewer --images-per-request",
                                    e));
                } catch (InterruptedException e) {
                    fail(new IllegalStateException("interrupted", e));
                }
            }
        }

        private synchronized boolean runs() {
            return !over && failure == null && missing();
        }

        private synchronized void remember(Socket socket) {
            sockets.removeIf(Socket::isClosed);
            sockets.add(socket);
        }

        private synchronized void add(MessageStream stream) {
            streams.add(stream);
        }

        private synchronized void count(MessageStream stream) {
            streams.remove(stream);
            bytes += stream.received();
            sent += stream.sent();
        }

        private synchronized void fail(RuntimeException e) {
            failure = e;
            notifyAll();
        }

        /** Puts a broken connection's requests back, and pauses, as the tier may restart. */
        private synchronized void broken(
                InetSocketAddress address, IOException e, Map<Integer, FeatureRequest> asked) {
            List<FeatureRequest> lost = List.copyOf(asked.values());
            lost.forEach(open::addFirst);
            asked.clear();
            if (over) {
                return;
            }
            reconnections++;
            latest = shown(address) + ": " + e.getMessage();
            try {
                lost.forEach(request -> failed(request.index()));
            } catch (IllegalStateException tooOften) {
                fail(tooOften);
            }
            notifyAll();
            try {
                wait(PAUSE_MILLIS);
            } catch (InterruptedException interrupted) {
                fail(new IllegalStateException("interrupted", interrupted));
            }
        }

        private void talk(MessageStream stream, Map<Integer, FeatureRequest> asked)
                throws IOException, InterruptedException {
            stream.write(hello);
            Message first = stream.read();
            if (first instanceof Message.Failed failed) {
                throw new IllegalStateException(failed.sentence());
            }
            if (!(first instanceof Message.Welcome welcome)) {
                throw new IOException("it sent no greeting");
            }
            if (welcome.parametersWanted()) {
                stream.write(new Message.Parameters(parameters));
            }
            long done = 0;
            while (runs()) {
                for (FeatureRequest next = next(asked); next != null; next = next(asked)) {
                    stream.write(new Message.Ask(next));
                }
                if (asked.isEmpty()) {
                    awaitOthers();
                    continue;
                }
                Message message = stream.read();
                if (message instanceof Message.Answer answer) {
                    take(answer.batch(), asked);
                } else if (message instanceof Message.Failed failed) {
                    again(failed, asked);
                } else if (message instanceof Message.Alive alive) {
                    waits(alive.longestWait());
                    if (alive.done() > done) {
                        done = alive.done();
                        progressed();
                    }
                } else {
                    throw new IOException("something other than an answer");
                }
            }
        }

        /** Extends the patience by the longest wait that the storage tier has reported. */
        private synchronized void waits(double seconds) {
            if (seconds >= 0) {
                turn = Math.round(seconds * 1e9);
                watch.waits(seconds);
                notifyAll();
            }
        }

        /** Restarts the timeout, because a large request may progress long before its answer. */
        private synchronized void progressed() {
            progress = System.nanoTime();
        }

        private synchronized FeatureRequest next(Map<Integer, FeatureRequest> asked) {
            if (asked.size() >= WINDOW || open.isEmpty() || stopped) {
                return null;
            }
            FeatureRequest next = open.remove();
            asked.put(next.index(), next);
            return next;
        }

        /** Pauses while all requests are at other addresses; they return if a connection breaks. */
        private synchronized void awaitOthers() throws InterruptedException {
            if ((open.isEmpty() || stopped) && runs()) {
                wait(PAUSE_MILLIS);
            }
        }

        private synchronized void take(FeatureBatch batch, Map<Integer, FeatureRequest> asked)
                throws IOException {
            if (batch.index() < 0 || !wanted.get(batch.index())) {
                throw new IOException(
                        "an answer to request " + batch.index() + ", which does not exist");
            }
            asked.remove(batch.index());
            if (taken.get(batch.index())) {
                repeated++;
            } else {
                taker.accept(batch);
                taken.set(batch.index());
            }
            if (!stopped && !open.isEmpty()) {
                stopped = !watch.goOn(meter.rate(), Collections.unmodifiableCollection(open));
            }
            progress = System.nanoTime();
            notifyAll();
        }

        private void failed(int index) {
            if (failures.merge(index, 1, Integer::sum) == MOST_FAILURES) {
                throw new IllegalStateException(latest);
            }
        }

        private synchronized void again(Message.Failed failed, Map<Integer, FeatureRequest> asked)
                throws InterruptedException {
            if (failed.forGood()) {
                throw new IllegalStateException(failed.sentence());
            }
            latest = failed.sentence();
            failed(failed.index());
            FeatureRequest request = asked.remove(failed.index());
            if (request != null) {
                open.addLast(request);
            }
            if (runs()) {
                wait(PAUSE_MILLIS);
            }
        }
    }

    private static String shown(InetSocketAddress address) {
        return "tcp://" + address.getHostString() + ":" + address.getPort();
    }
}
