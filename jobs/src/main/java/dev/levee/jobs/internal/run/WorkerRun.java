package dev.levee.jobs.internal.run;

import dev.levee.connectors.kafka.ExternalWorker;
import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.jobs.internal.config.KafkaConfig;
import dev.levee.jobs.internal.config.Resolver;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.WorkerConfig;
import dev.levee.operators.rounds.Training;

import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** One invocation of {@code levee worker}, from its first line to its last. */
public final class WorkerRun implements AutoCloseable {
    private static final long IN_PLACE_MILLIS = 200;
    private static final long LINE_MILLIS = 5000;
    private static final long STOP_MILLIS = 2000;

    private final Terminal terminal;
    private final WorkerProgress progress;
    private final ExternalWorker worker;
    private final String about;
    private final boolean remembers;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopping;

    private WorkerRun(
            Terminal terminal,
            WorkerProgress progress,
            ExternalWorker worker,
            String about,
            boolean remembers) {
        this.terminal = terminal;
        this.progress = progress;
        this.worker = worker;
        this.about = about;
        this.remembers = remembers;
    }

    /**
     * Checks options and opens the data; asks no broker.
     *
     * @throws IllegalArgumentException if an option is wrong; one sentence
     */
    public static WorkerRun of(
            WorkerConfig config, KafkaConfig kafka, RunConfig run, Terminal terminal) {
        int id = config.number();
        kafka.check();
        KafkaAddress address = kafka.address();
        SigningKey own = kafka.workerKey(config.id());
        VerifyingKey job = kafka.jobKey();
        Training training = Resolver.trainings(run, 1).get(0);
        ExternalWorker.Options options =
                Resolver.named(
                        "--attack",
                        () ->
                                new ExternalWorker.Options(
                                        id,
                                        own,
                                        job,
                                        training,
                                        config.resendAfter(),
                                        config.state() == null ? null : Path.of(config.state())));
        WorkerProgress progress = new WorkerProgress(config.id());
        String about =
                "Worker %s of run %s at %s: %s on %s%s"
                        .formatted(
                                config.id(),
                                kafka.run(),
                                address,
                                run.model(),
                                run.dataset(),
                                kafka.unsigned()
                                        ? ", without keys: it believes whoever can write to "
                                                + kafka.topics().models()
                                        : "");
        return new WorkerRun(
                terminal,
                progress,
                new ExternalWorker(address, kafka.topics(), options, progress, Clock.systemUTC()),
                about,
                config.state() != null);
    }

    /**
     * Works until the run is over.
     *
     * @throws RuntimeException if the worker cannot go on
     */
    public void run() {
        terminal.say(about);
        Thread interrupted = new Thread(this::interrupted, "interrupted");
        Runtime.getRuntime().addShutdownHook(interrupted);
        ScheduledExecutorService clock =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread thread = new Thread(task, "progress");
                            thread.setDaemon(true);
                            return thread;
                        });
        long pause = terminal.inPlace() ? IN_PLACE_MILLIS : LINE_MILLIS;
        clock.scheduleWithFixedDelay(
                () -> terminal.progress(progress.line()), pause, pause, TimeUnit.MILLISECONDS);
        try {
            if (worker.run()) {
                terminal.say(progress.end());
            }
        } finally {
            clock.shutdownNow();
            ended.countDown();
            if (!stopping) {
                Runtime.getRuntime().removeShutdownHook(interrupted);
            }
        }
    }

    /** The user has pressed Ctrl-C, or the machine goes down. */
    private void interrupted() {
        if (ended.getCount() == 0) {
            return;
        }
        stopping = true;
        worker.stop();
        try {
            // A gradient that is still being computed ends with this process and is never sent.
            ended.await(STOP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        terminal.say(
                "Interrupted."
                        + (remembers ? " The same command goes on exactly where this ended." : ""));
    }

    @Override
    public void close() {
        worker.close();
    }
}
