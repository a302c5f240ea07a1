package dev.levee.featureextraction.compute;

import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.link.LinkMeter;
import dev.levee.featureextraction.link.Message;
import dev.levee.featureextraction.link.MessageStream;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** All requests of one call of {@link StorageClient#fetch}. */
final class Fetch {
    /** Maximum number of unanswered requests at one address. */
    private static final int WINDOW = 8;

    /**
     * Maximum failures of a request, for requests that progress but fail each time, or whose
     * connection breaks each time before any answer.
     */
    private static final int MOST_FAILURES = 100;

    private static final int CONNECT_MILLIS = 5_000;

    /** Read timeout. The storage tier sends a heartbeat every five seconds. */
    private static final int SILENCE_MILLIS = 30_000;

    private static final long PAUSE_MILLIS = 250;

    /** How often {@link #await} looks for bytes that have crossed the link. */
    private static final long LOOK_MILLIS = 1_000;

    /** Bytes of a message in transit that count as progress. Heartbeats have far fewer. */
    private static final long PROGRESS_BYTES = 1 << 14;

    private final List<InetSocketAddress> addresses;
    private final Message.Hello hello;
    private final float[] parameters;
    private final Duration patience;
    private final Consumer<FeatureBatch> taker;
    private final StorageClient.Watch watch;
    private final BitSet wanted = new BitSet();
    private final Deque<FeatureRequest> open = new ArrayDeque<>();
    private final BitSet taken = new BitSet();
    private final Map<Integer, Integer> failures = new HashMap<>();
    private final List<Socket> sockets = new ArrayList<>();
    private final List<MessageStream> streams = new ArrayList<>();
    private final LinkMeter meter = new LinkMeter();
    private final Map<InetSocketAddress, Long> turns = new HashMap<>();

    /** The addresses whose current connection has brought an answer. */
    private final Set<InetSocketAddress> useful = new HashSet<>();

    private long progress = System.nanoTime();

    /** How long the call goes on after its last progress, in nanoseconds. */
    private long allowed;

    private long carried;
    private long mostSent;
    private String latest = "it has not answered yet";
    private RuntimeException failure;
    private boolean stopped;
    private boolean over;
    private long bytes;
    private long sent;
    private int repeated;
    private int reconnections;

    Fetch(
            List<InetSocketAddress> addresses,
            Message.Hello hello,
            float[] parameters,
            Duration patience,
            List<FeatureRequest> requests,
            Consumer<FeatureBatch> taker,
            StorageClient.Watch watch) {
        this.addresses = addresses;
        this.hello = hello;
        this.parameters = parameters;
        this.patience = patience;
        this.allowed = patience.toNanos();
        this.taker = taker;
        this.watch = watch;
        open.addAll(requests);
        requests.forEach(request -> wanted.set(request.index()));
    }

    synchronized void await() throws InterruptedException {
        while (missing() && failure == null) {
            if (carries()) {
                progressed();
            }
            long left = allowed - (System.nanoTime() - progress);
            if (left <= 0) {
                throw new IllegalStateException(
                        "the storage tier at %s has not answered for %d s: %s"
                                .formatted(
                                        String.join(
                                                ", ",
                                                addresses.stream().map(Fetch::shown).toList()),
                                        allowed / 1_000_000_000,
                                        latest));
            }
            wait(Math.min(LOOK_MILLIS, left / 1_000_000 + 1));
        }
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * True if answers or parameters have crossed the link since the last call that returned true.
     * Parameters that are sent again count once, so a tier that never accepts them is given up.
     */
    synchronized boolean carries() {
        for (MessageStream stream : streams) {
            mostSent = Math.max(mostSent, stream.sent());
        }
        long now = meter.rate().bytes() + mostSent;
        if (now - carried < PROGRESS_BYTES) {
            return false;
        }
        carried = now;
        return true;
    }

    /** True if answers are still awaited. */
    private boolean missing() {
        int done = taken.cardinality() + (stopped ? open.size() : 0);
        return done < wanted.cardinality();
    }

    synchronized StorageClient.Received received() {
        List<FeatureRequest> left = new ArrayList<>(open);
        left.sort(Comparator.comparingInt(FeatureRequest::index));
        return new StorageClient.Received(bytes, sent, meter.rate(), repeated, reconnections, left);
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
                        talk(address, stream, asked);
                    } finally {
                        count(stream);
                    }
                }
            } catch (IOException e) {
                broken(address, e, asked);
                pause();
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

    synchronized void add(MessageStream stream) {
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

    /**
     * Puts a broken connection's requests back, in order. They fail only if the connection brought
     * no answer, because the tier may close it again and again while this side computes. The call
     * goes on as long as before, because the tier may be starting again.
     */
    synchronized void broken(
            InetSocketAddress address, IOException e, Map<Integer, FeatureRequest> asked) {
        List<FeatureRequest> lost = new ArrayList<>(asked.values());
        lost.sort(Comparator.comparingInt(FeatureRequest::index).reversed());
        lost.forEach(open::addFirst);
        asked.clear();
        turns.remove(address);
        if (over) {
            return;
        }
        reconnections++;
        latest = shown(address) + ": " + e.getMessage();
        try {
            if (!useful.remove(address)) {
                lost.forEach(request -> failed(request.index()));
            }
        } catch (IllegalStateException tooOften) {
            fail(tooOften);
        }
        notifyAll();
    }

    /** Pauses before the next connection, because the tier may be starting again. */
    private synchronized void pause() {
        try {
            if (runs()) {
                wait(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            fail(new IllegalStateException("interrupted", e));
        }
    }

    private void talk(
            InetSocketAddress address, MessageStream stream, Map<Integer, FeatureRequest> asked)
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
                awaitOthers(address);
                continue;
            }
            Message message = stream.read();
            if (message instanceof Message.Answer answer) {
                take(address, answer.batch(), asked);
            } else if (message instanceof Message.Failed failed) {
                again(failed, asked);
            } else if (message instanceof Message.Alive alive) {
                waits(address, alive.longestWait());
                if (alive.done() > done) {
                    done = alive.done();
                    progressed();
                }
            } else {
                throw new IOException("something other than an answer");
            }
        }
    }

    /** The patience after the longest of the latest waits of the addresses with requests. */
    private long allowance() {
        return patience.toNanos() + (turns.isEmpty() ? 0 : Collections.max(turns.values()));
    }

    /** Extends the patience by a wait that an address has reported. */
    synchronized void waits(InetSocketAddress address, double seconds) {
        if (seconds >= 0) {
            turns.put(address, Math.round(seconds * 1e9));
            // A shorter wait takes effect at the next progress.
            allowed = Math.max(allowed, allowance());
            watch.waits(seconds);
            notifyAll();
        }
    }

    /** Restarts the timeout, because a large request may progress long before its answer. */
    private synchronized void progressed() {
        progress = System.nanoTime();
        allowed = allowance();
    }

    synchronized FeatureRequest next(Map<Integer, FeatureRequest> asked) {
        if (asked.size() >= WINDOW || open.isEmpty() || stopped) {
            return null;
        }
        FeatureRequest next = open.remove();
        asked.put(next.index(), next);
        return next;
    }

    /**
     * Pauses while all requests are at other addresses; they return if a connection breaks. The
     * others have the patience from now on, after their own waits.
     */
    synchronized void awaitOthers(InetSocketAddress address) throws InterruptedException {
        if (turns.remove(address) != null) {
            allowed = Math.min(allowed, System.nanoTime() - progress + allowance());
        }
        if ((open.isEmpty() || stopped) && runs()) {
            wait(PAUSE_MILLIS);
        }
    }

    synchronized void take(
            InetSocketAddress address, FeatureBatch batch, Map<Integer, FeatureRequest> asked)
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
            useful.add(address);
        }
        if (!stopped && !open.isEmpty()) {
            stopped = !watch.goOn(meter.rate(), Collections.unmodifiableCollection(open));
        }
        progressed();
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

    private static String shown(InetSocketAddress address) {
        return "tcp://" + address.getHostString() + ":" + address.getPort();
    }
}
