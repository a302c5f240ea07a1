package dev.levee.jobs.internal.run.place;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.worker.ExternalWorker;
import dev.levee.connectors.kafka.worker.TrainingResolver;
import dev.levee.connectors.kafka.worker.TrustedServers;
import dev.levee.jobs.internal.config.KafkaConfig;
import dev.levee.jobs.internal.config.Resolver;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.WorkerConfig;
import dev.levee.jobs.internal.config.federated.DeviceWork;
import dev.levee.jobs.internal.config.setting.Values;
import dev.levee.jobs.internal.run.follow.ShutdownHook;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.operators.rounds.training.Training;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * One invocation of {@code levee worker} or {@code levee device}, from its first to its last line
 * of output.
 */
public final class WorkerRun implements AutoCloseable {
    /** The kinds of participants. */
    public enum Role {
        /** Computes one gradient in each round. */
        WORKER("Worker", TrainingResolver.OF_GRADIENTS),
        /** Trains locally, as the job instructs. */
        DEVICE("Device", new DeviceWork());

        private final String word;
        private final TrainingResolver resolver;

        Role(String word, TrainingResolver resolver) {
            this.word = word;
            this.resolver = resolver;
        }
    }

    private static final long IN_PLACE_MILLIS = 200;
    private static final long LINE_MILLIS = 5000;
    private static final long STOP_MILLIS = 2000;

    private final Terminal terminal;
    private final List<WorkerProgress> progress;
    private final List<ExternalWorker> workers;
    private final String about;
    private final boolean remembers;
    private final CountDownLatch ended = new CountDownLatch(1);

    private WorkerRun(
            Terminal terminal,
            List<WorkerProgress> progress,
            List<ExternalWorker> workers,
            String about,
            boolean remembers) {
        this.terminal = terminal;
        this.progress = progress;
        this.workers = workers;
        this.about = about;
        this.remembers = remembers;
    }

    /**
     * Checks options and opens the data, without contacting a broker.
     *
     * @throws IllegalArgumentException if an option is wrong; one sentence
     */
    public static WorkerRun of(
            Role role, WorkerConfig config, KafkaConfig kafka, RunConfig run, Terminal terminal) {
        List<String> names = config.names();
        config.check(kafka);
        if (config.secureSum() && kafka.unsigned()) {
            throw new IllegalArgumentException(
                    "--secure-sum needs the keys of all devices: leave --unsigned out");
        }
        List<SigningKey> keys = new ArrayList<>();
        names.forEach(name -> keys.add(kafka.workerKey(name)));
        List<TrustedServers> servers = config.servers(kafka);
        if (run.dataset().startsWith("python:")) {
            throw new IllegalArgumentException(
                    "--dataset %s is for participants inside the job (levee train and federate); a"
                                    .formatted(run.dataset())
                            + " worker outside the job needs its own data set");
        }
        Training training = Resolver.trainings(run, 1).get(0);
        List<ExternalWorker.Options> options = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            SigningKey own = keys.get(i);
            for (TrustedServers read : servers) {
                options.add(
                        Values.named(
                                "--attack",
                                () ->
                                        new ExternalWorker.Options(
                                                KeyDirectory.worker(name),
                                                own,
                                                kafka.unsigned() ? null : kafka.directory(),
                                                read,
                                                training,
                                                config.secureSum()
                                                        ? role.resolver.masked()
                                                        : role.resolver,
                                                config.delay(),
                                                config.resendAfter(),
                                                config.state(name, read.only()))));
            }
        }
        List<WorkerProgress> progress = names.stream().map(WorkerProgress::new).toList();
        List<ExternalWorker> workers = new ArrayList<>();
        for (int i = 0; i < options.size(); i++) {
            workers.add(
                    new ExternalWorker(
                            config.connection(kafka, names.get(i / servers.size())),
                            kafka.topics(),
                            options.get(i),
                            progress.get(i / servers.size()),
                            Clock.systemUTC()));
        }
        String about =
                "%s of run %s at %s: %s on %s%s"
                        .formatted(
                                names.size() == 1
                                        ? role.word + " " + names.get(0)
                                        : role.word + "s " + config.ids(),
                                kafka.run(),
                                config.gateway() == null ? kafka.address() : config.gateway(),
                                run.model(),
                                run.dataset(),
                                kafka.unsigned()
                                        ? ", without keys: it accepts models from anyone who can"
                                                + " write to "
                                                + kafka.topics().models()
                                        : "");
        return new WorkerRun(terminal, progress, workers, about, config.state() != null);
    }

    /**
     * Works until the run is over.
     *
     * @throws RuntimeException if the worker cannot continue
     */
    public void run() {
        terminal.say(about);
        ScheduledExecutorService clock =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread thread = new Thread(task, "progress");
                            thread.setDaemon(true);
                            return thread;
                        });
        long pause = terminal.inPlace() ? IN_PLACE_MILLIS : LINE_MILLIS;
        clock.scheduleWithFixedDelay(
                () -> terminal.progress(WorkerProgress.line(progress)),
                pause,
                pause,
                TimeUnit.MILLISECONDS);
        try (ShutdownHook interrupted = new ShutdownHook(this::interrupted)) {
            if (work()) {
                terminal.say(WorkerProgress.end(progress));
            }
        } finally {
            clock.shutdownNow();
            ended.countDown();
        }
    }

    /** Returns true if the run is over, false if the workers were stopped before. */
    private boolean work() {
        if (workers.size() == 1) {
            return workers.get(0).run();
        }
        ExecutorService threads = Executors.newFixedThreadPool(workers.size());
        try {
            List<CompletableFuture<Boolean>> ends =
                    workers.stream()
                            .map(each -> CompletableFuture.supplyAsync(each::run, threads))
                            .toList();
            // If a worker fails, the other workers of its process end with the same reason.
            ends.forEach(
                    end ->
                            end.whenComplete(
                                    (over, failure) -> {
                                        if (failure != null) {
                                            workers.forEach(ExternalWorker::stop);
                                        }
                                    }));
            CompletableFuture.allOf(ends.toArray(new CompletableFuture<?>[0])).join();
            return ends.stream().allMatch(CompletableFuture::join);
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        } finally {
            threads.shutdown();
        }
    }

    /** Handles Ctrl-C and a shutdown of the machine. */
    private void interrupted() {
        workers.forEach(ExternalWorker::stop);
        try {
            // A gradient that is being computed is lost with this process and never sent.
            ended.await(STOP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        terminal.say(
                "Interrupted."
                        + (remembers ? " Run the same command to continue where it stopped." : ""));
    }

    @Override
    public void close() {
        workers.forEach(ExternalWorker::close);
    }
}
