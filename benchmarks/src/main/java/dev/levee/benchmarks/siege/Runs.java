package dev.levee.benchmarks.siege;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Runs one training after another on the cluster. A client in a separate process follows each, and
 * the result of each must have the same bits as an undisturbed run.
 */
final class Runs {
    private static final int HEAP = 256;
    private static final String NO_CLUSTER = "does not answer like a Flink cluster";
    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final long SAVEPOINT_SECONDS = 120;

    private final String name;
    private final TestBed bed;
    private final Findings findings;
    private final Workload workload;
    private final String digest;
    private final Function<String, List<String>> command;
    private final Participants participants;
    private final Thread thread;
    private volatile boolean ending;
    private volatile boolean abandoned;
    private Child client;
    private Path output;
    private boolean killed;
    private CompletableFuture<String> stopping;
    private int finished;

    /**
     * Prepares the runs without starting any.
     *
     * @param name common name of the runs, to which each appends its number
     * @param digest digest of the parameters of an undisturbed run
     * @param command the command of a run with this name, without an output folder
     */
    Runs(
            String name,
            TestBed bed,
            Findings findings,
            Workload workload,
            String digest,
            Function<String, List<String>> command,
            Participants participants) {
        this.name = name;
        this.bed = bed;
        this.findings = findings;
        this.workload = workload;
        this.digest = digest;
        this.command = command;
        this.participants = participants;
        this.thread = new Thread(this::all, name);
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Starts no further run after the current one. */
    void startNoOther() {
        ending = true;
    }

    /** Starts no further run, and waits for the end of the current one. */
    void end() throws InterruptedException {
        startNoOther();
        thread.join();
    }

    /** The number of runs that have ended successfully. */
    synchronized int finished() {
        return finished;
    }

    /** The rounds of all these runs. */
    synchronized long rounds() {
        return (long) finished * workload.rounds();
    }

    private void all() {
        try {
            for (int number = 1; !ending; number++) {
                one(name + "-" + number);
            }
        } catch (IOException | RuntimeException e) {
            findings.broken(name + " cannot go on: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void one(String run) throws IOException, InterruptedException {
        participants.begin(run);
        Optional<String> savepoint = Optional.empty();
        for (int attempt = 0; true; attempt++) {
            // A client that finds no JobManager reports it and exits; the user then tries again.
            bed.awaitJobManager();
            Path folder = bed.directory().resolve(attempt == 0 ? run : run + "-" + attempt);
            int status = follow(run, folder, savepoint);
            if (status == 0) {
                List<String> wrong =
                        workload.wrong(folder, digest, participants != Participants.NONE);
                wrong.forEach(each -> findings.broken(run + " " + each));
                participants.end(workload.rounds());
                bed.disk().delete(bed.disk().directory().resolve(run));
                synchronized (this) {
                    finished += wrong.isEmpty() ? 1 : 0;
                }
                int untold = workload.untold(folder);
                findings.say(
                        "%s is over: %s%s"
                                .formatted(
                                        run,
                                        wrong.isEmpty() ? "the same bits" : "wrong",
                                        untold == 0
                                                ? ""
                                                : ", " + untold + " rounds are not in its report"));
                return;
            }
            if (client.lastWord().endsWith(NO_CLUSTER) && Workload.job(folder).isEmpty()) {
                findings.say(run + " found no JobManager, and is started again");
                continue;
            }
            savepoint = savepoint();
            if (savepoint.isEmpty() && abandoned) {
                return;
            }
            if (savepoint.isEmpty()) {
                findings.broken(
                        "the client of %s ended with status %d: %s"
                                .formatted(run, status, client.lastWord()));
                ending = true;
                return;
            }
        }
    }

    /** Runs a job to its end, with a second client if the first one was killed. */
    private int follow(String run, Path folder, Optional<String> savepoint)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(command.apply(run));
        arguments.add("--target=" + bed.cluster().restUrl());
        arguments.add("--parallelism=2");
        arguments.add("--checkpoint-interval=500ms");
        arguments.add("--checkpoint-dir=" + bed.disk().directory().resolve(run));
        arguments.add("--output=" + folder);
        savepoint.ifPresent(location -> arguments.add("--resume=" + location));
        launch(folder, arguments);
        while (true) {
            if (!client.await(PATIENCE)) {
                findings.broken(run + " has not ended after " + PATIENCE.toMinutes() + " min");
                client.kill();
                return 1;
            }
            synchronized (this) {
                if (!killed) {
                    return client.status();
                }
                killed = false;
            }
            launch(folder, List.of("attach", folder.toString()));
        }
    }

    private synchronized void launch(Path folder, List<String> arguments) throws IOException {
        output = folder;
        Path said = folder.resolveSibling(folder.getFileName() + ".out");
        client = Child.levee(said, HEAP, arguments);
        bed.memory().watch(MemoryBounds.Role.CLIENT, client.pid());
    }

    /** The savepoint with which the job was stopped, if any. */
    private Optional<String> savepoint() throws InterruptedException {
        CompletableFuture<String> asked;
        synchronized (this) {
            asked = stopping;
            stopping = null;
        }
        if (asked == null) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(asked.get(SAVEPOINT_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        }
    }

    /** The job of the current run, if it was submitted. */
    synchronized Optional<String> job() throws IOException {
        return output == null ? Optional.empty() : Workload.job(output);
    }

    /** Kills the client; false if no job was submitted to which another could attach. */
    synchronized boolean killClient() throws IOException {
        if (job().isEmpty() || !client.alive()) {
            return false;
        }
        killed = true;
        client.kill();
        return true;
    }

    /**
     * Stops the job with a savepoint, from which the next one continues.
     *
     * @return false if there was no job to stop, or it was restarting or ending
     */
    boolean stop() throws IOException, InterruptedException {
        Optional<String> job = job();
        if (job.isEmpty()) {
            return false;
        }
        CompletableFuture<String> asked = new CompletableFuture<>();
        synchronized (this) {
            stopping = asked;
        }
        Optional<String> location = bed.savepoints().take(job.get(), true);
        if (location.isEmpty()) {
            synchronized (this) {
                stopping = null;
            }
        }
        asked.complete(location.orElse(null));
        return location.isPresent();
    }

    /** Kills the client, and starts no other. */
    synchronized void abandon() {
        ending = true;
        abandoned = true;
        if (client != null) {
            client.kill();
        }
    }
}
