package dev.levee;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.worker.ExternalWorker;
import dev.levee.connectors.kafka.worker.WorkerListener;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.operators.rounds.Settings;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A worker outside on a thread of the test's, what it waited for, and who lied to it. */
public final class WorkerThread implements WorkerListener, AutoCloseable {
    public static final Duration PATIENCE = Duration.ofMinutes(5);

    private final BlockingQueue<String> waiting = new LinkedBlockingQueue<>();
    private final BlockingQueue<List<Long>> lies = new LinkedBlockingQueue<>();
    private final ExternalWorker worker;
    private final CompletableFuture<Boolean> over;

    public WorkerThread(LocalKafka broker, Topics topics, ExternalWorker.Options options) {
        KafkaAddress address = new KafkaAddress(broker.bootstrapServers(), Map.of());
        worker = new ExternalWorker(address, topics, options, this, Clock.systemUTC());
        over =
                CompletableFuture.supplyAsync(
                        worker::run, task -> new Thread(task, "worker").start());
    }

    public void awaitWaiting(String what) throws InterruptedException {
        String why;
        do {
            why = waiting.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(why).as("waits for %s", what).isNotNull();
        } while (!why.contains(what));
    }

    /** The next server that contradicted itself, and the version it did so about. */
    public List<Long> awaitLie() throws InterruptedException {
        return lies.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Lies of which nobody has asked. */
    public BlockingQueue<List<Long>> lies() {
        return lies;
    }

    /** Waits for its end; true if that was the end of the run. */
    public boolean over() throws Exception {
        return over.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    public boolean runs() {
        return !over.isDone();
    }

    public void stop() {
        worker.stop();
    }

    @Override
    public void waiting(String why) {
        waiting.add(why);
    }

    @Override
    public void model(long run, long version, Settings settings) {}

    @Override
    public void answered(long run, long round, double loss) {}

    @Override
    public void resent(long run, long round) {}

    @Override
    public void contradicted(int server, long version) {
        lies.add(List.of((long) server, version));
    }

    @Override
    public void close() throws Exception {
        stop();
        over.handle((ended, failure) -> null).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
}
