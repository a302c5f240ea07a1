package dev.levee.jobs.internal.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The configuration of the ZooKeeper process, which stores the jobs of a local cluster and their
 * newest checkpoints. It comes with Flink and listens on 127.0.0.1 only.
 */
final class ZooKeeperConfig {
    /**
     * Milliseconds between searches for empty containers: more than three weeks. If ZooKeeper
     * deletes the container of the leader election while the only JobManager is stopped, the
     * restarted JobManager never leads again (CURATOR-724, in the client that Flink 2.2 brings).
     */
    static final int NEVER = Integer.MAX_VALUE;

    private ZooKeeperConfig() {}

    /**
     * Writes the configuration and forgets the jobs of an earlier cluster.
     *
     * @param port port for clients
     * @param rpcPort RPC port of the JobManager
     * @return the related options of Flink's configuration
     */
    static Map<String, Object> create(Path directory, int port, int rpcPort) throws IOException {
        Path jobs = jobs(directory);
        FileTree.delete(jobs);
        Files.createDirectories(jobs);
        Files.write(
                file(directory),
                List.of(
                        "dataDir=" + jobs.resolve("zookeeper"),
                        "clientPort=" + port,
                        "clientPortAddress=127.0.0.1",
                        "admin.enableServer=false",
                        // Clients may ask for session timeouts of 2 to 20 ticks.
                        "tickTime=500"));
        return Map.of(
                "high-availability.type",
                "zookeeper",
                "high-availability.cluster-id",
                "/levee",
                "high-availability.storageDir",
                jobs.resolve("flink").toUri().toString(),
                "high-availability.zookeeper.quorum",
                "127.0.0.1:" + port,
                "high-availability.jobmanager.port",
                String.valueOf(rpcPort),
                // A restarted JobManager waits this long if the previous one was killed.
                "high-availability.zookeeper.client.session-timeout",
                10_000,
                "high-availability.zookeeper.client.tolerate-suspended-connections",
                true);
    }

    /** The configuration file. */
    static Path file(Path directory) {
        return directory.resolve("conf/zoo.cfg");
    }

    /** The directory of the jobs with which a restarted JobManager continues. */
    static Path jobs(Path directory) {
        return directory.resolve("jobs");
    }
}
