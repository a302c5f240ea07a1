package dev.levee.benchmarks.siege;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.jobs.internal.cluster.ClusterProcess;
import dev.levee.jobs.internal.cluster.JobJars;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.k8s.flink.rest.Await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The environment of a siege: a highly available cluster, a broker, keys, and a disk for
 * checkpoints.
 */
final class TestBed implements AutoCloseable {
    static final String ZOOKEEPER = "zookeeper";
    static final String JOB_MANAGER = "jobmanager";

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int TASK_MANAGERS = 3;
    private static final int SLOTS = 2;
    private static final int TASK_HEAP = 256;

    private final Path directory;
    private final MemoryBounds memory;
    private final CheckpointDisk disk;
    private final KeyDirectory keys;
    private LocalKafka broker;
    private LocalCluster cluster;

    private TestBed(Path directory, MemoryBounds memory) throws IOException, InterruptedException {
        this.directory = directory;
        this.memory = memory;
        this.keys = new KeyDirectory(directory.resolve("keys"));
        this.disk = CheckpointDisk.at(Files.createDirectory(directory.resolve("checkpoints")));
    }

    /** Starts all parts. If one start fails, ends those that were started. */
    static TestBed start(Path directory, MemoryBounds memory)
            throws IOException, InterruptedException {
        TestBed bed = new TestBed(directory, memory);
        boolean up = false;
        try {
            bed.start();
            up = true;
            return bed;
        } finally {
            if (!up) {
                bed.close();
            }
        }
    }

    private void start() throws IOException {
        keys.generate(KeyDirectory.JOB);
        for (int worker = 0; worker < Workload.WORKERS; worker++) {
            keys.generate(KeyDirectory.name(worker));
        }
        broker = LocalKafka.start(new LocalKafka.Options(directory.resolve("kafka"), 0, Map.of()));
        LeveeHome home = LeveeHome.find();
        // The cluster has the job jar; with a jar in each job, classes would be loaded again at
        // each attempt.
        List<String> classPath = new ArrayList<>(home.clusterClassPath());
        classPath.add(home.jobJar().toString());
        cluster =
                LocalCluster.start(
                        new LocalCluster.Options(
                                directory.resolve("cluster"),
                                classPath,
                                TASK_MANAGERS,
                                SLOTS,
                                0,
                                TASK_HEAP,
                                true,
                                // Short timeouts detect failures early, which leaves time for more
                                // faults.
                                Map.of(
                                        "heartbeat.interval",
                                        "500",
                                        "heartbeat.timeout",
                                        "5000",
                                        JobJars.OPTION,
                                        JobJars.sha256(home.jobJar()))));
        watch();
    }

    /** Observes the memory of all processes, including new ones. */
    void watch() throws IOException {
        memory.watch(MemoryBounds.Role.BROKER, broker.pid());
        memory.watch(cluster);
    }

    Path directory() {
        return directory;
    }

    MemoryBounds memory() {
        return memory;
    }

    CheckpointDisk disk() {
        return disk;
    }

    KeyDirectory keys() {
        return keys;
    }

    LocalCluster cluster() {
        return cluster;
    }

    LocalKafka broker() {
        return broker;
    }

    KafkaAddress kafka() {
        return new KafkaAddress(broker.bootstrapServers(), Map.of());
    }

    /** Waits until the JobManager answers, at most a minute. */
    void awaitJobManager() {
        Await.until(PATIENCE, () -> cluster.rest().get("/overview").has("slots-total"));
    }

    /** Takes savepoints of the cluster's jobs. */
    Savepoints savepoints() {
        return new Savepoints(
                cluster.rest(), directory.resolve("savepoints"), cluster::jobManagerRuns);
    }

    /**
     * Restarts a JobManager that has ended by itself, as a supervisor does.
     *
     * @return the reason of its end, empty if it is alive
     */
    synchronized Optional<String> revive() throws IOException {
        if (cluster.jobManagerRuns()) {
            return Optional.empty();
        }
        cluster.recover();
        Path log = directory.resolve("cluster").resolve("log").resolve(JOB_MANAGER + ".log");
        String last = "nothing is in its log";
        boolean fatal = false;
        try (BufferedReader lines = Files.newBufferedReader(log)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                fatal |= line.contains("FATAL") || line.contains("Fatal error occurred");
                if (fatal && line.startsWith("Caused by: ")) {
                    last = line.substring("Caused by: ".length());
                    fatal = false;
                }
            }
        }
        return Optional.of(last);
    }

    /** The process of the cluster with this name. */
    ClusterProcess process(String name) throws IOException {
        return cluster.processes().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The running TaskManagers. */
    List<ClusterProcess> taskManagers() throws IOException {
        return cluster.processes().stream()
                .filter(each -> each.alive() && each.name().startsWith("taskmanager-"))
                .toList();
    }

    @Override
    public void close() throws IOException {
        if (cluster != null) {
            cluster.close();
        }
        if (broker != null) {
            broker.close();
        }
        disk.close();
    }
}
