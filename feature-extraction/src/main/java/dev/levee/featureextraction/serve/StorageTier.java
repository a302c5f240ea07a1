package dev.levee.featureextraction.serve;

import dev.levee.connectors.data.packed.DamagedObjectException;
import dev.levee.featureextraction.batch.BatchPlanner;
import dev.levee.featureextraction.batch.ProcessMemory;
import dev.levee.featureextraction.batch.RequestQueue;
import dev.levee.featureextraction.extract.Extractor;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.link.Message;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Answers requests of many tenants in one process, which share its memory and a few threads. It
 * keeps no state that must survive a failure: clients repeat requests until they have answers, and
 * send parameters again, which the tier may drop when memory is short.
 */
public final class StorageTier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StorageTier.class);

    /**
     * The name of an exception of Hadoop's S3A. Its class belongs to a plugin, so it is compared by
     * name.
     */
    private static final String CHANGED_ON_THE_WAY = "RemoteFileChangedException";

    /** Maximum wait for room for parameters. After a longer wait, a client would give up. */
    private static final long ARRIVING_SECONDS = 20;

    private static final int ATTEMPTS = 4;
    private static final long FIRST_PAUSE_MILLIS = 200;

    /** Time without a sent byte after which a connection that blocks others is closed. */
    private static final Duration STALLED = Duration.ofMinutes(5);

    /** Maximum number of connections. Each has two threads; refused clients try again. */
    private static final int MOST_CONNECTIONS = 512;

    private final StorageLimits limits;
    private final Consumer<RequestOutcome> listener;
    private final ProcessMemory memory = new ProcessMemory();
    private final RequestQueue<Task> queue;
    private final ServerSocket door;
    private final Duration stalled;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final Map<String, SoftReference<float[]>> parameters = new ConcurrentHashMap<>();
    private final AtomicLong number = new AtomicLong();
    private final Thread[] threads;
    private final Thread acceptor;

    /** Memory for parameters that are being received, in megabytes. Plans do not include it. */
    private static final int ARRIVING = megabytes(Runtime.getRuntime().maxMemory() / 2);

    private final Semaphore arriving = new Semaphore(ARRIVING, true);

    /** A request that waits or runs. */
    record Task(Connection from, Message.Ask ask, long number, long arrival) {}

    /**
     * Starts to listen and serve.
     *
     * @param address the address to listen at; port 0 for any free port
     * @param listener receives the outcome of each request, from several threads
     * @throws IOException if the port is taken; one sentence
     */
    public StorageTier(
            InetSocketAddress address, StorageLimits limits, Consumer<RequestOutcome> listener)
            throws IOException {
        this(address, limits, listener, STALLED);
    }

    /**
     * As above.
     *
     * @param stalled time without a sent byte after which a connection that blocks others is closed
     */
    StorageTier(
            InetSocketAddress address,
            StorageLimits limits,
            Consumer<RequestOutcome> listener,
            Duration stalled)
            throws IOException {
        this.stalled = stalled;
        this.limits = limits;
        this.listener = listener;
        queue =
                new RequestQueue<>(
                        BatchPlanner.DEFAULT,
                        limits.memory(),
                        limits.threads(),
                        limits.measured() ? memory : () -> 0);
        door = new ServerSocket();
        door.setReuseAddress(true);
        try {
            door.bind(address);
            door.setSoTimeout(Math.toIntExact(stalled.toMillis() / 10));
        } catch (IOException e) {
            door.close();
            throw new IOException(
                    "the storage tier cannot listen at %s: %s".formatted(address, e.getMessage()),
                    e);
        }
        threads = new Thread[limits.threads()];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = daemon(this::work, "extraction " + i);
        }
        acceptor = daemon(this::accept, "storage tier at " + address());
    }

    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** The address on which the tier listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) door.getLocalSocketAddress();
    }

    /** The queue of requests. */
    public RequestQueue<?> queue() {
        return queue;
    }

    /** The measured memory of the process. */
    public ProcessMemory memory() {
        return memory;
    }

    /** Number of connected compute tiers. */
    public int connections() {
        return connections.size();
    }

    private void accept() {
        while (!door.isClosed()) {
            connections.forEach(each -> each.closeIfStalled(stalled));
            try {
                Socket socket = door.accept();
                if (connections.size() < MOST_CONNECTIONS) {
                    connect(socket);
                } else {
                    socket.close();
                }
            } catch (IOException e) {
                // The server is closed, nobody has connected for a while, or a connection broke
                // while being accepted.
                continue;
            }
        }
    }

    void connect(Socket socket) {
        Connection connection = new Connection(socket, this);
        connections.add(connection);
        connection.start();
    }

    void ended(Connection connection) {
        connections.remove(connection);
        queue.remove(task -> task.from() == connection);
    }

    /** True if requests of other connections wait for memory that unsent answers hold. */
    boolean blockedBy(Connection connection) {
        return queue.blocked(task -> task.from() == connection);
    }

    /**
     * Queues a request.
     *
     * @throws IllegalArgumentException if the request can never be answered; one sentence
     */
    void add(Connection from, Message.Ask ask) {
        String object = ask.request().object();
        if (!limits.serves(object)) {
            throw new IllegalArgumentException(
                    "%s is not served by this storage tier, which serves %s"
                            .formatted(object, String.join(", ", limits.objects())));
        }
        if (!StorageLimits.answerable(from.extraction(), ask.request())) {
            throw new IllegalArgumentException(
                    ("the answer to %d images has up to %d bytes, more than %d: use fewer"
                                    + " --images-per-request")
                            .formatted(
                                    ask.request().images(),
                                    from.extraction().answerBytes(ask.request()),
                                    FeatureBatch.LONGEST_PAYLOAD));
        }
        Task task = new Task(from, ask, number.incrementAndGet(), System.nanoTime());
        queue.add(from.asked(task), task);
    }

    /** The parameters with a hash; null if they are not in memory. */
    float[] parameters(String hash) {
        SoftReference<float[]> kept = parameters.get(hash);
        return kept == null ? null : kept.get();
    }

    private static int megabytes(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, (bytes >> 20) + 1);
    }

    /**
     * Waits for room to receive parameters. It reserves twice their size, because the array grows
     * while it is filled.
     *
     * @return gives the room back
     * @throws IOException if there is no room for too long, because parameters of other clients are
     *     being received
     */
    Runnable roomFor(long parameterBytes) throws IOException, InterruptedException {
        int needed = Math.min(ARRIVING, megabytes(2 * parameterBytes));
        if (!arriving.tryAcquire(needed, ARRIVING_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("parameters of others arrive first");
        }
        return () -> arriving.release(needed);
    }

    void keep(String hash, float[] values) {
        parameters.values().removeIf(each -> each.get() == null);
        parameters.put(hash, new SoftReference<>(values));
    }

    private void work() {
        try {
            // A library that the thread was in may have swallowed the interrupt of close().
            while (!door.isClosed()) {
                RequestQueue<Task>.Granted granted = queue.take();
                try {
                    work(granted);
                } catch (RuntimeException | OutOfMemoryError e) {
                    LOG.warn("A request has failed", e);
                    fail(granted, 0, false, String.valueOf(e.getMessage()));
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("An extraction thread ends", e);
        }
    }

    private void work(RequestQueue<Task>.Granted granted) throws InterruptedException {
        Task task = granted.what();
        Connection from = task.from();
        float[] values = from.extraction().unsplit() ? new float[0] : parameters(from.parameters());
        if (values == null) {
            granted.close();
            from.close(); // the client reconnects and sends them
            return;
        }
        long waited = System.nanoTime() - task.arrival();
        long pause = FIRST_PAUSE_MILLIS;
        IntConsumer progress =
                images -> {
                    granted.progress();
                    from.progress(images);
                };
        try (Extractor extractor = new Extractor(from.extraction(), values, progress)) {
            for (int attempt = 1; ; attempt++) {
                try {
                    answer(
                            granted,
                            extractor.answer(task.ask().request(), granted.batch()),
                            waited,
                            attempt - 1);
                    return;
                } catch (IOException | UncheckedIOException e) {
                    boolean forGood = forGood(e);
                    if (forGood || attempt == ATTEMPTS) {
                        fail(granted, attempt - 1, forGood || another(e), e.getMessage());
                        return;
                    }
                    Thread.sleep(pause);
                    pause *= 2;
                }
            }
        }
    }

    /** True if the object differs from the one that was packed. */
    private static boolean another(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof DamagedObjectException
                    || at.getClass().getSimpleName().equals(CHANGED_ON_THE_WAY)) {
                return true;
            }
        }
        return false;
    }

    /** True if no further attempt can succeed: the object is missing or access is denied. */
    private static boolean forGood(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof FileNotFoundException || at instanceof AccessDeniedException) {
                return true;
            }
        }
        return false;
    }

    private void answer(
            RequestQueue<Task>.Granted granted, FeatureBatch batch, long waited, int retries) {
        granted.keep(batch.payload().length);
        report(granted, batch, waited, retries, null);
        granted.what().from().send(new Message.Answer(batch), granted);
    }

    private void fail(
            RequestQueue<Task>.Granted granted, int retries, boolean forGood, String sentence) {
        granted.close();
        Task task = granted.what();
        int index = task.ask().request().index();
        FeatureBatch none = new FeatureBatch(index, new int[0], new byte[0], List.of(), 0, 0, 0);
        report(granted, none, 0, retries, sentence);
        task.from().send(new Message.Failed(index, forGood, sentence), granted);
    }

    private void report(
            RequestQueue<Task>.Granted granted,
            FeatureBatch batch,
            long waited,
            int retries,
            String failure) {
        Task task = granted.what();
        listener.accept(
                new RequestOutcome(
                        task.from().tenant(),
                        task.ask().request().object(),
                        task.ask().request().from(),
                        task.ask().request().to(),
                        granted.batch(),
                        waited,
                        retries,
                        batch.storeNanos(),
                        batch.decodeNanos(),
                        batch.computeNanos(),
                        batch.bad().size(),
                        batch.payload().length,
                        failure));
    }

    /** Ends at once. Clients repeat their requests elsewhere, or here after a restart. */
    @Override
    public void close() throws IOException {
        door.close();
        for (Thread thread : threads) {
            thread.interrupt();
        }
        try {
            // The port is free, and no connection is added, only when this thread has ended.
            acceptor.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        connections.forEach(Connection::close);
    }
}
