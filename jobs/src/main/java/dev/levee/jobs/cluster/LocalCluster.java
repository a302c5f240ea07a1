package dev.levee.jobs.cluster;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.internal.cluster.ClusterConfig;
import dev.levee.jobs.internal.cluster.ClusterProcess;
import dev.levee.jobs.internal.cluster.ClusterProcesses;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A real Flink session cluster on this machine: a JobManager and TaskManagers, each in a separate
 * process, all bound to 127.0.0.1. It outlives the process that started it unless closed, and
 * {@link #find} finds it again.
 */
public final class LocalCluster implements AutoCloseable {
    /** How long processes may take to start. */
    public static final Duration PATIENCE = Duration.ofMinutes(3);

    /**
     * How long a process may take to stop: on a busy machine, it may be archiving 70 MB of classes.
     */
    private static final Duration STOP = Duration.ofSeconds(30);

    /**
     * Options of a cluster.
     *
     * @param directory receives configuration, logs and the list of processes
     * @param classPath class path of all processes: Flink, DJL, logging
     * @param taskManagers number of TaskManagers to begin with
     * @param slots slots of each TaskManager
     * @param port port of the REST API and the web UI, 0 for any that is free
     * @param heap MiB of heap for the tasks of each TaskManager
     * @param highAvailability true if a restarted JobManager continues its jobs, which takes one
     *     more process, ZooKeeper
     * @param configuration Flink options that override what is set here, such as {@code
     *     heartbeat.timeout}
     */
    public record Options(
            Path directory,
            List<String> classPath,
            int taskManagers,
            int slots,
            int port,
            int heap,
            boolean highAvailability,
            Map<String, String> configuration) {
        /** Options without high availability: jobs end with their JobManager. */
        public Options(
                Path directory,
                List<String> classPath,
                int taskManagers,
                int slots,
                int port,
                int heap,
                Map<String, String> configuration) {
            this(directory, classPath, taskManagers, slots, port, heap, false, configuration);
        }

        /**
         * Checks the Flink options.
         *
         * @throws IllegalArgumentException if one would not take effect, such as {@code rest.port};
         *     one sentence
         */
        public Options {
            ClusterConfig.check(configuration);
            directory = directory.toAbsolutePath();
            classPath = List.copyOf(classPath);
            configuration = Map.copyOf(configuration);
        }
    }

    private final ClusterProcesses processes;
    private final FlinkRest rest;

    private LocalCluster(ClusterProcesses processes) throws IOException {
        this.processes = processes;
        this.rest = new FlinkRest(URI.create("http://127.0.0.1:" + processes.restPort()));
    }

    /**
     * Starts a cluster and waits until all its TaskManagers are registered.
     *
     * @throws IllegalStateException if a cluster already runs in the directory, the port is taken,
     *     or it does not come up; one sentence
     */
    public static LocalCluster start(Options options) throws IOException {
        Optional<LocalCluster> running = find(options.directory());
        if (running.isPresent()) {
            throw new IllegalStateException(
                    running.get().jobManagerRuns()
                            ? "a cluster is already running at " + running.get().restUrl()
                            : "a cluster whose JobManager has ended still has running processes;"
                                    + " levee cluster recover restarts the JobManager, levee"
                                    + " cluster stop ends the processes");
        }
        ClusterProcesses processes =
                ClusterProcesses.create(
                        options.directory(),
                        options.classPath(),
                        options.port(),
                        options.slots(),
                        options.heap(),
                        options.highAvailability(),
                        options.configuration());
        LocalCluster cluster = new LocalCluster(processes);
        boolean up = false;
        try {
            processes.startJobManager();
            for (int i = 0; i < options.taskManagers(); i++) {
                processes.startTaskManager();
            }
            cluster.awaitStart(options.taskManagers());
            up = true;
            return cluster;
        } finally {
            if (!up) {
                cluster.close();
            }
        }
    }

    /** Finds the cluster that was started in a directory, if any of its processes still runs. */
    public static Optional<LocalCluster> find(Path directory) throws IOException {
        Optional<ClusterProcesses> processes = ClusterProcesses.find(directory.toAbsolutePath());
        return processes.isPresent()
                ? Optional.of(new LocalCluster(processes.get()))
                : Optional.empty();
    }

    /** Address of the REST API and the web UI. */
    public URI restUrl() {
        return rest.address();
    }

    /** The REST API. */
    public FlinkRest rest() {
        return rest;
    }

    /** True if the JobManager runs; without it, the cluster does not answer. */
    public boolean jobManagerRuns() throws IOException {
        return processes.jobManagerRuns();
    }

    /** True if a restarted JobManager continues its jobs. */
    public boolean highlyAvailable() {
        return processes.highlyAvailable();
    }

    /** Ends the JobManager at once, as {@code kill -9} does. */
    public void killJobManager() throws IOException {
        processes.jobManager().kill();
    }

    /**
     * Starts the JobManager again after it has ended, and waits until it answers. With high
     * availability, its jobs continue from their newest checkpoints.
     *
     * @throws IllegalStateException if the JobManager does not come up; one sentence
     */
    public void recover() throws IOException {
        processes.startJobManager();
        boolean settled =
                Await.until(
                        PATIENCE,
                        () ->
                                !processes.jobManagerRuns()
                                        || rest.get("/overview").has("slots-total"));
        if (settled && !processes.jobManagerRuns()) {
            throw new IllegalStateException(
                    "the cluster's " + processes.ended(processes.jobManager()));
        }
        if (!settled) {
            throw new IllegalStateException(
                    "the JobManager did not answer within %s s; see %s"
                            .formatted(PATIENCE.toSeconds(), processes.logs()));
        }
    }

    /**
     * The processes that were started and not stopped, in the order of their starts. Some may have
     * died.
     */
    public List<ClusterProcess> processes() throws IOException {
        return processes.list();
    }

    /** Starts one more TaskManager and returns its number, counted from 1. */
    public int addTaskManager() throws IOException {
        return processes.startTaskManager();
    }

    /** Ends TaskManager {@code number} at once, as {@code kill -9} does. */
    public void killTaskManager(int number) throws IOException {
        processes.taskManager(number).kill();
    }

    /**
     * Waits until this many TaskManagers are registered and have reported their slots.
     *
     * @throws IllegalStateException if they are not within {@link #PATIENCE}; one sentence
     */
    public void awaitTaskManagers(int count) {
        boolean registered = Await.until(PATIENCE, () -> ready(count));
        if (!registered) {
            throw new IllegalStateException(
                    "%s TaskManagers did not register within %s s; see %s"
                            .formatted(count, PATIENCE.toSeconds(), processes.logs()));
        }
    }

    /**
     * Waits until TaskManager {@code number} is registered and has reported its slots.
     *
     * @throws IllegalStateException if the TaskManager ends before, or needs longer than {@link
     *     #PATIENCE}; one sentence
     */
    public void awaitTaskManager(int number) throws IOException {
        ClusterProcess process = processes.taskManager(number);
        Await.until(PATIENCE, () -> !process.alive() || registered().contains(process.name()));
        if (!registered().contains(process.name())) {
            throw new IllegalStateException(
                    process.alive()
                            ? process.name() + " did not register; see " + processes.logs()
                            : processes.ended(process));
        }
    }

    private boolean ready(int count) throws IOException {
        return registered().size() == count;
    }

    /** Ids of the TaskManagers that have reported their slots. */
    private List<String> registered() throws IOException {
        List<String> names = new ArrayList<>();
        for (JsonNode taskManager : rest.get("/taskmanagers").path("taskmanagers")) {
            if (taskManager.path("slotsNumber").asInt() > 0) {
                names.add(taskManager.path("id").asText());
            }
        }
        return names;
    }

    private void awaitStart(int taskManagers) throws IOException {
        boolean settled =
                Await.until(PATIENCE, () -> processes.died().isPresent() || ready(taskManagers));
        Optional<ClusterProcess> died = processes.died();
        if (settled && died.isPresent()) {
            throw new IllegalStateException("the cluster's " + processes.ended(died.get()));
        }
        awaitTaskManagers(taskManagers);
    }

    /** Ends all processes of this cluster. */
    @Override
    public void close() throws IOException {
        processes.stopAll(STOP);
    }
}
