package dev.levee.connectors.kafka.versions;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaAdmin;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.ServerRing;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Reads the newest model, and then newer models, on its own thread. It waits for a broker, a topic
 * or a model without a time limit.
 */
public final class ModelReader implements ModelSource {
    /** Receives models, on the reader's thread. */
    public interface Output {
        void newest(NewestVersion.Found model);

        /** A server has signed two different models for one version. */
        void contradicted(Versions.Contradiction proof);

        /** There is nothing to read yet; {@code why} is one sentence. */
        void waiting(String why);

        void failed(RuntimeException cause);
    }

    /** Maximum time without any record; on a slow link, a block takes seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration PROBE = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration CLOSE = Duration.ofMillis(500);
    private static final long PAUSE_SECONDS = 1;

    private final KafkaAddress address;
    private final Consumer<byte[], byte[]> consumer;
    private final VersionFollower follower;
    private final String topic;
    private final ServerRing ring;
    private final Output output;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "models");
    private boolean held;

    /** True while the thread waits because of {@link #hold}. */
    private boolean waits;

    /**
     * Creates a reader that has not started.
     *
     * @param ring the trusted servers
     * @param byzantine maximum number of Byzantine servers, if there are several
     * @throws IllegalArgumentException if the address or a client property is wrong; one sentence
     */
    public ModelReader(
            KafkaAddress address, Topics topics, ServerRing ring, int byzantine, Output output) {
        this.address = address;
        this.topic = topics.models();
        this.ring = ring;
        this.output = output;
        this.consumer = KafkaClients.consumer(address);
        NewestVersion.Blocks all = NewestVersion.Blocks.ALL;
        this.follower =
                ring.count() == 1
                        ? new VersionFollower(consumer, topic, FrameKind.MODEL, ring, all)
                        : new VersionFollower(
                                consumer,
                                topic,
                                all,
                                partitions -> new ServerCandidates(partitions, ring, byzantine));
        thread.setDaemon(true);
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public synchronized void hold() {
        held = true;
    }

    @Override
    public synchronized void resume() {
        held = false;
        if (waits) {
            notifyAll();
        } else {
            consumer.wakeup(); // it may have delivered a model that was ignored
        }
    }

    /**
     * Waits while reading is on hold.
     *
     * @return true if it was
     */
    private synchronized boolean waited() throws InterruptedException {
        boolean before = held;
        waits = held;
        while (held && closed.getCount() > 0) {
            wait();
        }
        waits = false;
        return before;
    }

    private void run() {
        try {
            while (closed.getCount() > 0) {
                try {
                    follow();
                } catch (RetriableException e) {
                    output.waiting(e.getMessage());
                    closed.await(PAUSE_SECONDS, TimeUnit.SECONDS);
                } catch (WakeupException e) {
                    // Woken by resume() to find the newest model again, or by close().
                }
            }
        } catch (InterruptedException e) {
            // This thread is interrupted only to end it.
        } catch (KafkaException e) {
            output.failed(KafkaAdmin.failed(address, e));
        } catch (RuntimeException e) {
            output.failed(e);
        } finally {
            consumer.close(CloseOptions.timeout(CLOSE));
        }
    }

    private void follow() throws InterruptedException {
        follower.probe(PROBE);
        Optional<NewestVersion.Found> found = follower.find(PATIENCE);
        tell(found);
        String missing = found.isEmpty() ? nothing() : null;
        if (missing != null) {
            output.waiting(missing);
        }
        long heard = System.nanoTime();
        while (closed.getCount() > 0) {
            // After a hold, intermediate models are skipped without being read.
            Optional<NewestVersion.Found> newer =
                    waited() ? follower.find(PATIENCE) : follower.poll(POLL);
            tell(newer);
            if (newer.isPresent()) {
                missing = null;
                heard = System.nanoTime();
                continue;
            }
            if (missing != null && !missing.equals(nothing())) {
                missing = nothing(); // records that arrived since changed the reason
                output.waiting(missing);
            }
            if (System.nanoTime() - heard > PROBE.toNanos()) {
                follower.probe(PROBE);
                heard = System.nanoTime();
            }
        }
    }

    private void tell(Optional<NewestVersion.Found> found) {
        follower.contradictions().forEach(output::contradicted);
        found.ifPresent(output::newest);
    }

    private String nothing() {
        if (follower.otherServers() > 0) {
            return "topic %s has models of %d %s, and --servers is %d"
                    .formatted(
                            topic,
                            follower.otherServers(),
                            follower.otherServers() == 1 ? "server" : "servers",
                            ring.count());
        }
        String signers = ring.count() == 1 ? "the job" : "the servers";
        return "topic %s has no model%s yet"
                .formatted(topic, ring.signed() ? " signed by " + signers + " of --keys" : "");
    }

    @Override
    public void close() {
        closed.countDown();
        if (thread.getState() == Thread.State.NEW) {
            consumer.close(CloseOptions.timeout(CLOSE));
        } else {
            resume();
            consumer.wakeup();
        }
    }
}
