package dev.levee.benchmarks.siege;

import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.KeyDirectory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The workers of served runs, each in a separate process, with the follower of versions. */
final class OutsideWorkers implements Participants {
    private static final int HEAP = 128;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final TestBed bed;
    private final Findings findings;
    private final AtomicLong progress;
    private final Child[] workers = new Child[Workload.WORKERS];
    private String run;
    private VersionWatch watch;

    OutsideWorkers(TestBed bed, Findings findings, AtomicLong progress) {
        this.bed = bed;
        this.findings = findings;
        this.progress = progress;
    }

    /** Starts the workers of a run, and the follower of its versions. */
    @Override
    public synchronized void begin(String name) throws IOException {
        run = name;
        watch = VersionWatch.start(bed.kafka(), new Topics(name).models(), findings, progress);
        for (int worker = 0; worker < workers.length; worker++) {
            start(worker, false);
        }
    }

    /**
     * Checks at the end of a run that its workers have ended, and that all its versions were
     * published.
     */
    @Override
    public void end(int rounds) throws InterruptedException {
        for (int worker = 0; worker < workers.length; worker++) {
            // A worker that is restarted after the end of a run detects that it is over, and exits.
            Child child = worker(worker);
            if (child != null && !child.await(PATIENCE)) {
                findings.broken(name(worker) + " goes on although the run is over");
            }
        }
        synchronized (this) {
            run = null;
            checkDead();
            long newest = watch.newest();
            if (newest != rounds) {
                findings.broken("the newest version is " + newest + ", not " + rounds);
            }
            watch.close();
        }
    }

    private synchronized Child worker(int worker) {
        return workers[worker];
    }

    private String name(int worker) {
        return "worker " + worker + " of " + run;
    }

    private void start(int worker, boolean jumping) throws IOException {
        String name = KeyDirectory.name(worker);
        Path files = bed.directory();
        String state = files.resolve(run + "-" + name + ".state").toString();
        Path output = files.resolve(run + "-" + name + ".out");
        String broker = bed.broker().bootstrapServers();
        String keys = bed.keys().path().toString();
        workers[worker] =
                jumping
                        ? Child.program(
                                output,
                                HEAP,
                                JumpingWorker.class.getName(),
                                String.valueOf(worker),
                                broker,
                                run,
                                keys,
                                state)
                        : Child.levee(
                                output,
                                HEAP,
                                List.of(
                                        "worker",
                                        "--id=" + name,
                                        "--bootstrap-servers=" + broker,
                                        "--run=" + run,
                                        "--keys=" + keys,
                                        "--dataset=" + Workload.DATA,
                                        "--model=" + Workload.MODEL,
                                        "--resend-after=2s",
                                        "--state=" + state));
        bed.memory().watch(MemoryBounds.Role.WORKER, workers[worker].pid());
    }

    /** The name of the current run, null between two runs. */
    synchronized String run() {
        return run;
    }

    /** The follower of the current run's versions. */
    synchronized VersionWatch versions() {
        return watch;
    }

    /** The process id of a worker, −1 if it has ended. */
    synchronized long pid(int worker) {
        return workers[worker] != null && workers[worker].alive() ? workers[worker].pid() : -1;
    }

    /**
     * Kills a worker and restarts it.
     *
     * @param jumping true if the worker's clock jumps from now on
     * @return false if the worker was not running
     */
    synchronized boolean restart(int worker, boolean jumping) throws IOException {
        if (!kill(worker)) {
            return false;
        }
        start(worker, jumping);
        return true;
    }

    /** Kills a worker; false if it was not running. */
    synchronized boolean kill(int worker) {
        if (pid(worker) < 0) {
            return false;
        }
        workers[worker].kill();
        return true;
    }

    /** Restarts the workers that were killed in a run, if it is still running. */
    synchronized void comeBack(String since, boolean[] killed) throws IOException {
        for (int worker = 0; worker < workers.length; worker++) {
            if (killed[worker] && since.equals(run)) {
                start(worker, false);
            }
        }
    }

    /** Reports workers that have ended although the run is not over and nobody killed them. */
    synchronized void checkDead() {
        for (int worker = 0; worker < workers.length; worker++) {
            Child child = workers[worker];
            if (child != null && !child.alive() && child.status() != 0) {
                findings.broken(
                        "worker %d ended with status %d: %s"
                                .formatted(worker, child.status(), child.lastWord()));
                workers[worker] = null;
            }
        }
    }

    /** Kills all workers. */
    synchronized void killAll() {
        for (int worker = 0; worker < workers.length; worker++) {
            kill(worker);
        }
    }
}
