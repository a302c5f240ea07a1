package dev.levee.featureextraction.serve;

import dev.levee.featureextraction.batch.BatchRequest;
import dev.levee.featureextraction.batch.RequestQueue;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.link.Message;
import dev.levee.featureextraction.link.MessageStream;
import dev.levee.featureextraction.link.RefusedException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A compute tier's connection, with one thread that reads requests and one that writes answers. The
 * number of its requests that wait or run is limited; further requests are not read yet.
 */
final class Connection {
    /** Maximum number of requests of one connection that wait or run. */
    private static final int WINDOW = 16;

    /** Period of heartbeats. Clients give up after several times this period without a message. */
    private static final long SIGN_OF_LIFE_SECONDS = 5;

    private static final int GREETING_MILLIS = 30_000;

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private record Outgoing(Message message, AutoCloseable memory) {}

    private final Socket socket;
    private final StorageTier tier;
    private final Semaphore window = new Semaphore(WINDOW);
    private final BlockingQueue<Outgoing> outgoing = new LinkedBlockingQueue<>();
    private final AtomicLong done = new AtomicLong();
    private volatile MessageStream stream;
    private volatile Message.Hello hello;
    private volatile boolean closed;
    private volatile boolean writing;
    private long moved;
    private long movedAt;

    Connection(Socket socket, StorageTier tier) {
        this.socket = socket;
        this.tier = tier;
    }

    /** Starts to read. The tier must count the connection already, because reading may end it. */
    void start() {
        StorageTier.daemon(this::read, "requests from " + socket.getRemoteSocketAddress());
    }

    String tenant() {
        return hello.tenant();
    }

    Extraction extraction() {
        return hello.extraction();
    }

    /** Hash of the parameters. */
    String parameters() {
        return hello.parameters();
    }

    /** Reports {@code images} further images as done. */
    void progress(int images) {
        done.addAndGet(images);
    }

    /** Describes a request and its memory to the planner. */
    BatchRequest asked(StorageTier.Task task) {
        return StorageLimits.planned(extraction(), task.ask().request(), tenant(), task.number());
    }

    private void read() {
        try (MessageStream opened = new MessageStream(socket)) {
            stream = opened;
            socket.setSoTimeout(GREETING_MILLIS);
            greet();
            socket.setSoTimeout(0);
            StorageTier.daemon(this::write, "answers to " + socket.getRemoteSocketAddress());
            while (true) {
                Message.Ask ask = stream.read(Message.Ask.class, 0);
                window.acquire();
                take(ask);
            }
        } catch (OutOfMemoryError e) {
            LOG.warn(
                    "No memory for the request of {}; it will be sent again",
                    socket.getRemoteSocketAddress());
        } catch (IOException | RuntimeException e) {
            LOG.debug("The connection of {} ends", socket.getRemoteSocketAddress(), e);
        } catch (InterruptedException e) {
            LOG.debug("Requests are no longer read", e);
        } finally {
            close();
        }
    }

    private void greet() throws IOException, InterruptedException {
        try {
            hello = stream.read(Message.Hello.class, 0);
        } catch (RefusedException e) {
            stream.write(new Message.Failed(-1, true, "the storage tier: " + e.getMessage()));
            throw e;
        }
        boolean wanted = !extraction().unsplit() && tier.parameters(hello.parameters()) == null;
        if (!wanted) {
            stream.write(new Message.Welcome(false));
            return;
        }
        int expected = extraction().prefix().layout().size();
        Runnable room = tier.roomFor(extraction().parameterBytes());
        try {
            stream.write(new Message.Welcome(true));
            Message.Parameters sent = stream.read(Message.Parameters.class, expected);
            if (sent.values().length != expected
                    || !MessageStream.hash(sent.values()).equals(hello.parameters())) {
                String sentence = "the parameters are not the announced ones";
                stream.write(new Message.Failed(-1, true, sentence));
                throw new IOException(sentence);
            }
            tier.keep(hello.parameters(), sent.values());
        } finally {
            room.run();
        }
    }

    private void take(Message.Ask ask) {
        try {
            tier.add(this, ask);
        } catch (IllegalArgumentException e) {
            send(new Message.Failed(ask.request().index(), true, e.getMessage()), () -> {});
        }
    }

    /**
     * Queues a message for sending.
     *
     * @param memory the request's memory, released once the message has been sent
     */
    void send(Message message, AutoCloseable memory) {
        outgoing.add(new Outgoing(message, memory));
        if (closed) {
            forget();
        }
    }

    private void write() {
        try {
            while (!closed) {
                Outgoing next = outgoing.poll(SIGN_OF_LIFE_SECONDS, TimeUnit.SECONDS);
                if (next == null) {
                    double wait = tier.queue().longestWait(tenant());
                    transmit(new Message.Alive(done.get(), wait));
                    continue;
                }
                try (AutoCloseable memory = next.memory()) {
                    transmit(next.message());
                }
                window.release();
            }
        } catch (Exception e) {
            LOG.debug("Answers to {} are no longer sent", socket.getRemoteSocketAddress(), e);
        } finally {
            close();
        }
    }

    private void transmit(Message message) throws IOException {
        writing = true;
        stream.write(message);
        writing = false;
    }

    /**
     * Closes the connection if none of the bytes of a message has left for some time, and requests
     * of other connections wait for the memory of unsent answers. Otherwise, the client may take
     * its time: it reads nothing while it computes. Called repeatedly, by one thread.
     *
     * @param after the time after which the connection is closed
     */
    void closeIfStalled(Duration after) {
        long now = System.nanoTime();
        long sent = writing ? stream.sent() : -1;
        if (sent < 0 || sent != moved) {
            moved = sent;
            movedAt = now;
        } else if (now - movedAt > after.toNanos() && tier.blockedBy(this)) {
            LOG.info(
                    "The connection of {} ends: it has read nothing for {} s, and others wait for"
                            + " its memory",
                    socket.getRemoteSocketAddress(),
                    after.toSeconds());
            close();
        }
    }

    /** Closes the connection, and drops its requests. */
    void close() {
        closed = true;
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("A socket does not close", e);
        }
        tier.ended(this);
        forget();
    }

    private void forget() {
        for (Outgoing next = outgoing.poll(); next != null; next = outgoing.poll()) {
            if (next.memory() instanceof RequestQueue<?>.Granted granted) {
                granted.close();
            }
        }
    }
}
