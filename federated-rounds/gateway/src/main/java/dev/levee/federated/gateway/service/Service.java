package dev.levee.federated.gateway.service;

import dev.levee.federated.gateway.account.AccountStore;
import dev.levee.federated.gateway.limit.Buckets;
import dev.levee.federated.gateway.limit.ConnectionCounts;
import dev.levee.federated.gateway.limit.Limits;
import dev.levee.federated.gateway.limit.Reserve;
import dev.levee.federated.gateway.metrics.GatewayMetrics;
import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.topic.Contributions;
import dev.levee.federated.gateway.topic.Models;
import dev.levee.federated.gateway.topic.RefusedException;
import dev.levee.federated.gateway.topic.Sums;
import dev.levee.federated.gateway.topic.TopicWriter;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The parts that all protocols of a gateway share. A device has one account, one rate and one share
 * of the memory, over HTTPS and gRPC together.
 */
public final class Service implements AutoCloseable {
    private static final int QUEUED = 4096;

    /**
     * The parts of the gateway that the service uses.
     *
     * @param run name of the run
     * @param nanos a monotonic clock in nanoseconds
     */
    public record Behind(
            String run,
            AccountStore accounts,
            Models models,
            Sums sums,
            Contributions checks,
            TopicWriter writer,
            LongSupplier nanos) {}

    private final Behind behind;
    private final Limits limits;
    private final GatewayMetrics metrics;
    private final ConnectionCounts tally;
    private final Deadlines deadlines = new Deadlines();
    private final ThreadPoolExecutor workers;
    private final Credentials credentials;
    private final Enrollment enrollment;
    private final Downloads downloads;
    private final Uploads uploads;

    /** Creates a service without clients. */
    public Service(Behind behind, Limits limits, GatewayMetrics metrics) {
        this.behind = behind;
        this.limits = limits;
        this.metrics = metrics;
        this.tally = new ConnectionCounts(limits.connections(), limits.connectionsPerAddress());
        int processors = Runtime.getRuntime().availableProcessors();
        this.workers =
                new ThreadPoolExecutor(
                        processors,
                        2 * processors,
                        1,
                        TimeUnit.MINUTES,
                        new ArrayBlockingQueue<>(QUEUED));
        double burst = Limits.BURST_SECONDS;
        Buckets addresses = new Buckets(limits.addressRequestsPerSecond(), burst, behind.nanos());
        Buckets devices = new Buckets(limits.requestsPerSecond(), burst, behind.nanos());
        Buckets bytes = new Buckets(limits.bytesPerSecond(), burst, behind.nanos());
        Reserve memory = new Reserve(limits.uploadBytes());
        this.credentials = new Credentials(behind.accounts().accounts(), addresses, devices, bytes);
        this.enrollment =
                new Enrollment(behind.accounts(), credentials, metrics, Clock.systemUTC());
        this.downloads =
                new Downloads(behind.models(), behind.sums(), credentials, limits.longestWait());
        this.uploads =
                new Uploads(
                        behind.models(),
                        behind.checks(),
                        behind.writer(),
                        credentials,
                        memory,
                        metrics);
        metrics.gauge("connections", tally::open);
        metrics.gauge("waiting_for_models", behind.models()::waiting);
        metrics.gauge("upload_bytes", memory::used);
        deadlines.start(
                () -> {
                    addresses.prune();
                    devices.prune();
                    bytes.prune();
                });
    }

    /** Counts a new connection; false if there are too many, which is counted as a refusal. */
    public boolean connected(String address) {
        ConnectionCounts.Verdict verdict = tally.open(address);
        switch (verdict) {
            case COUNTED -> {}
            case TOO_MANY -> metrics.refuse(Refusal.TOO_MANY_CONNECTIONS);
            case TOO_MANY_OF_ADDRESS -> metrics.refuse(Refusal.TOO_MANY_OF_ADDRESS);
        }
        return verdict == ConnectionCounts.Verdict.COUNTED;
    }

    /** Counts the end of a connection. */
    public void disconnected(String address) {
        tally.close(address);
    }

    /** Name of the run. */
    public String run() {
        return behind.run();
    }

    /** Refuses a request for another run. */
    public void requireRun(Caller caller, String run) throws RefusedException {
        if (!run.equals(behind.run())) {
            throw credentials.wrong(
                    caller, Refusal.OTHER_RUN, "this gateway belongs to another run");
        }
    }

    /** The identification of devices. */
    public Credentials credentials() {
        return credentials;
    }

    /** The enrollment of devices. */
    public Enrollment enrollment() {
        return enrollment;
    }

    /** The downloads of versions and messages. */
    public Downloads downloads() {
        return downloads;
    }

    /** The uploads of frames. */
    public Uploads uploads() {
        return uploads;
    }

    /** The limits of clients. */
    public Limits limits() {
        return limits;
    }

    /** The counters and gauges. */
    public GatewayMetrics metrics() {
        return metrics;
    }

    /** The checks of deadlines. */
    public Deadlines deadlines() {
        return deadlines;
    }

    /** Runs answers that may block; rejects tasks if its queue is full. */
    public Executor workers() {
        return workers;
    }

    /**
     * Lets a worker thread handle a frame for which memory is reserved. The memory is released when
     * Kafka has stored the frame or will not store it, even if the client no longer waits.
     */
    public void take(Uploads.Receiver receiver, byte[] frame, CompletionListener done)
            throws RefusedException {
        metrics.received.add(frame.length);
        CompletionListener freeing =
                refused -> {
                    uploads.free(frame.length);
                    done.ended(refused);
                };
        try {
            workers.execute(
                    () -> {
                        try {
                            receiver.take(frame, freeing);
                        } catch (RefusedException e) {
                            freeing.ended(e);
                        }
                    });
        } catch (RejectedExecutionException e) {
            uploads.free(frame.length);
            throw Uploads.full();
        }
    }

    /** The clock's time after this duration. */
    public long in(Duration time) {
        return behind.nanos().getAsLong() + time.toNanos();
    }

    /** True if a deadline has passed. */
    public boolean over(long deadline) {
        return behind.nanos().getAsLong() - deadline > 0;
    }

    @Override
    public void close() {
        deadlines.close();
        workers.shutdownNow();
    }
}
