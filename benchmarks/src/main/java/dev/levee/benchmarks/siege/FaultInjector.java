package dev.levee.benchmarks.siege;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.internal.cluster.ClusterProcess;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.kafka.clients.admin.Admin;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Applies the faults of a schedule to a test bed, and repairs them as an operator would. */
final class FaultInjector {
    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final int MOST_PARALLELISM = 3;

    private final TestBed bed;
    private final OutsideWorkers outside;
    private final List<Runs> runs;

    /**
     * Creates an injector.
     *
     * @param runs the runs whose jobs and clients may be affected; workers belong to the served
     *     ones
     */
    FaultInjector(TestBed bed, OutsideWorkers outside, List<Runs> runs) {
        this.bed = bed;
        this.outside = outside;
        this.runs = runs;
    }

    /**
     * Applies and repairs one fault.
     *
     * @return a description of the affected process; empty if there was none, such as a worker
     *     between two runs
     */
    Optional<String> strike(FaultSchedule.Step step)
            throws IOException, InterruptedException, ExecutionException {
        int worker = step.target() % Workload.WORKERS;
        Optional<String> done =
                switch (step.fault()) {
                    case KILL_TASK_MANAGER -> killTaskManager(step.target());
                    case KILL_JOB_MANAGER -> killAndRecover(TestBed.JOB_MANAGER);
                    case KILL_ZOOKEEPER -> killAndRecover(TestBed.ZOOKEEPER);
                    case KILL_WORKER -> when(outside.restart(worker, false), "worker " + worker);
                    case KILL_CLIENT -> when(some(step).killClient(), "a client");
                    case KILL_BROKER -> killBroker();
                    case RESTART_BROKER -> restartBroker();
                    case PAUSE_TASK_MANAGER -> pause(taskManager(step.target()), step.seconds());
                    case PAUSE_JOB_MANAGER ->
                            pause(bed.process(TestBed.JOB_MANAGER).pid(), step.seconds());
                    case PAUSE_BROKER -> pause(bed.broker().pid(), step.seconds());
                    case PAUSE_WORKER -> pause(outside.pid(worker), step.seconds());
                    case FULL_DISK -> fullDisk(step.seconds());
                    case RESCALE -> rescale(step);
                    case SAVEPOINT -> savepoint(step);
                    case RESUME -> when(some(step).stop(), "a job");
                    case DELETE_CONSUMERS -> deleteConsumers();
                    case FLOOD -> flood(step);
                    case CLOCK_JUMP -> when(outside.restart(worker, true), "worker " + worker);
                    case WORKERS_LEAVE -> workersLeave(step.seconds());
                };
        bed.watch();
        return done;
    }

    private static Optional<String> when(boolean hit, String what) {
        return hit ? Optional.of(what) : Optional.empty();
    }

    private Runs some(FaultSchedule.Step step) {
        return runs.get(step.target() % runs.size());
    }

    private Optional<String> killTaskManager(int target) throws IOException {
        List<ClusterProcess> alive = bed.taskManagers();
        ClusterProcess hit = alive.get(target % alive.size());
        hit.kill();
        bed.cluster().addTaskManager();
        return Optional.of(hit.name());
    }

    private long taskManager(int target) throws IOException {
        List<ClusterProcess> alive = bed.taskManagers();
        return alive.get(target % alive.size()).pid();
    }

    private Optional<String> killAndRecover(String name) throws IOException {
        // Locked, so that the JobManager's supervisor does not start it as well.
        synchronized (bed) {
            bed.process(name).kill();
            bed.cluster().recover();
        }
        return Optional.of(name);
    }

    private Optional<String> killBroker() throws IOException {
        bed.broker().kill();
        bed.broker().restart();
        return Optional.of("the broker");
    }

    private Optional<String> restartBroker() throws IOException {
        bed.broker().restart();
        return Optional.of("the broker");
    }

    private static Optional<String> pause(long pid, int seconds)
            throws IOException, InterruptedException {
        if (pid < 0) {
            return Optional.empty();
        }
        signal("-STOP", pid);
        try {
            TimeUnit.SECONDS.sleep(seconds);
        } finally {
            signal("-CONT", pid);
        }
        return Optional.of("process " + pid);
    }

    /** Sends a signal to a process, for which Java has no API. */
    private static void signal(String signal, long pid) throws IOException, InterruptedException {
        // The process may have ended in the meantime, so the exit status does not matter.
        new ProcessBuilder("kill", signal, String.valueOf(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private Optional<String> fullDisk(int seconds) throws IOException, InterruptedException {
        bed.disk().fill();
        try {
            TimeUnit.SECONDS.sleep(seconds);
        } finally {
            bed.disk().free();
        }
        return Optional.of(bed.disk().what());
    }

    private Optional<String> rescale(FaultSchedule.Step step) throws IOException {
        Optional<String> job = some(step).job();
        int parallelism = 1 + step.target() / runs.size() % MOST_PARALLELISM;
        if (job.isEmpty() || !rescaled(bed.cluster().rest(), job.get(), parallelism)) {
            return Optional.empty();
        }
        return Optional.of("to " + parallelism);
    }

    /**
     * Changes the parallelism of a job; false if the job has ended, or the cluster does not answer.
     */
    private static boolean rescaled(FlinkRest rest, String job, int parallelism) {
        boolean[] taken = new boolean[1];
        Await.until(
                ANSWER,
                () -> {
                    JsonNode details = rest.get("/jobs/" + job);
                    if (details.path("state").asText().equals("FINISHED")) {
                        return true;
                    }
                    StringJoiner vertices = new StringJoiner(",", "{", "}");
                    for (JsonNode vertex : details.path("vertices")) {
                        int upper = Math.min(parallelism, vertex.path("maxParallelism").asInt());
                        vertices.add(
                                "\"%s\":{\"parallelism\":{\"lowerBound\":1,\"upperBound\":%d}}"
                                        .formatted(vertex.path("id").asText(), upper));
                    }
                    rest.send(
                            "PUT", "/jobs/" + job + "/resource-requirements", vertices.toString());
                    taken[0] = true;
                    return true;
                });
        return taken[0];
    }

    private Optional<String> savepoint(FaultSchedule.Step step) throws IOException {
        Optional<String> job = some(step).job();
        if (job.isEmpty()) {
            return Optional.empty();
        }
        return bed.savepoints().take(job.get(), false);
    }

    private Optional<String> deleteConsumers()
            throws IOException, InterruptedException, ExecutionException {
        String run = outside.run();
        if (run == null) {
            return Optional.empty();
        }
        outside.versions().recreate();
        try (Admin admin = bed.broker().admin()) {
            boolean there =
                    admin.listGroups().all().get().stream()
                            .anyMatch(group -> group.groupId().equals(run));
            if (!there) {
                return Optional.empty();
            }
            admin.deleteConsumerGroups(List.of(run)).all().get();
        }
        return Optional.of("group " + run);
    }

    private Optional<String> flood(FaultSchedule.Step step) {
        String run = outside.run();
        if (run == null) {
            return Optional.empty();
        }
        long records =
                new InvalidRecords(bed, run, outside.versions().newest(), step.target())
                        .flood(Duration.ofSeconds(step.seconds()));
        return Optional.of(records + " records");
    }

    private Optional<String> workersLeave(int seconds) throws IOException, InterruptedException {
        String run = outside.run();
        if (run == null) {
            return Optional.empty();
        }
        boolean[] killed = new boolean[Workload.WORKERS];
        int hit = 0;
        for (int worker = 0; worker < killed.length; worker++) {
            killed[worker] = outside.kill(worker);
            hit += killed[worker] ? 1 : 0;
        }
        TimeUnit.SECONDS.sleep(seconds);
        outside.comeBack(run, killed);
        return when(hit > 0, hit + " workers");
    }
}
