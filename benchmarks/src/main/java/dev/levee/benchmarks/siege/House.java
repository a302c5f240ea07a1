package dev.levee.benchmarks.siege;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.cluster.LocalKafka;
import dev.levee.jobs.internal.cluster.ClusterProcess;
import dev.levee.jobs.internal.cluster.Home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A highly available cluster, a broker, keys, and a disk for checkpoints. */
final class House implements AutoCloseable {
    static final String ZOOKEEPER = "zookeeper";
    static final String JOB_MANAGER = "jobmanager";

    private static final int TASK_MANAGERS = 3;
    private static final int SLOTS = 2;
    private static final int TASK_HEAP = 256;

    private final Path directory;
    private final Memory memory;
    private final Disk disk;
    private final KeyDirectory keys;
    private LocalKafka broker;
    private LocalCluster cluster;

    private House(Path directory, Memory memory) throws IOException, InterruptedException {
        this.directory = directory;
        this.memory = memory;
        this.keys = new KeyDirectory(directory.resolve("keys"));
        this.disk = Disk.at(Files.createDirectory(directory.resolve("checkpoints")));
    }

    /** Starts everything; what has been started is ended if something does not start. */
    static House start(Path directory, Memory memory) throws IOException, InterruptedException {
        House house = new House(directory, memory);
        boolean up = false;
        try {
            house.start();
            up = true;
            return house;
        } finally {
            if (!up) {
                house.close();
            }
        }
    }

    private void start() throws IOException {
        keys.generate(KeyDirectory.JOB);
        for (int worker = 0; worker < Workload.WORKERS; worker++) {
            keys.generate(KeyDirectory.name(worker));
        }
        broker = LocalKafka.start(new LocalKafka.Options(directory.resolve("kafka"), 0, Map.of()));
        cluster =
                LocalCluster.start(
                        new LocalCluster.Options(
                                directory.resolve("cluster"),
                                Home.find().clusterClassPath(),
                                TASK_MANAGERS,
                                SLOTS,
                                0,
                                TASK_HEAP,
                                true,
                                // What is lost is noticed soon, so that there is time for more.
                                Map.of("heartbeat.interval", "500", "heartbeat.timeout", "5000")));
        watch();
    }

    /** Has the memory of all processes watched, new ones too. */
    void watch() throws IOException {
        memory.watch(Memory.Role.BROKER, broker.pid());
        for (ClusterProcess process : cluster.processes()) {
            memory.watch(
                    switch (process.name()) {
                        case ZOOKEEPER -> Memory.Role.ZOOKEEPER;
                        case JOB_MANAGER -> Memory.Role.JOB_MANAGER;
                        default -> Memory.Role.TASK_MANAGER;
                    },
                    process.pid());
        }
    }

    Path directory() {
        return directory;
    }

    Memory memory() {
        return memory;
    }

    Disk disk() {
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

    /** A process of the cluster. */
    ClusterProcess process(String name) throws IOException {
        return cluster.processes().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The TaskManagers that live. */
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
