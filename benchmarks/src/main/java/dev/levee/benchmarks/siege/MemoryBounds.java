package dev.levee.benchmarks.siege;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cluster.ClusterProcess;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks the peak resident memory of each process (VmHWM in {@code /proc}) against a bound for its
 * kind.
 */
final class MemoryBounds {
    /** The kind of a process, with its bound in MiB. */
    enum Role {
        /** Has 768 MiB of heap, 256 MiB of metaspace, and the JVM's overhead. */
        JOB_MANAGER("JobManager", 1400),
        /** Has the total process memory that Flink computes for 256 MiB of task heap. */
        TASK_MANAGER("TaskManager", 1344),
        /** Has 128 MiB of heap and 128 MiB of metaspace. */
        ZOOKEEPER("ZooKeeper", 450),
        /** Has 512 MiB of heap, and mapped files. */
        BROKER("broker", 1000),
        /** Has 128 MiB of heap. */
        WORKER("worker", 400),
        /** Has 256 MiB of heap. */
        CLIENT("client", 600);

        private final String label;
        private final int bound;

        Role(String label, int bound) {
            this.label = label;
            this.bound = bound;
        }

        @Override
        public String toString() {
            return label;
        }

        int bound() {
            return bound;
        }
    }

    private final Findings findings;

    /** The observed processes, by handle, because process ids are reused, also for threads. */
    private final Map<ProcessHandle, Role> watched = new ConcurrentHashMap<>();

    private final Map<Role, Integer> most = new TreeMap<>();

    MemoryBounds(Findings findings) {
        this.findings = findings;
    }

    /** Observes a process until it ends. */
    void watch(Role role, long pid) {
        ProcessHandle.of(pid).ifPresent(process -> watched.put(process, role));
    }

    /** Observes the live processes of a cluster. */
    void watch(LocalCluster cluster) throws IOException {
        for (ClusterProcess process : cluster.processes()) {
            if (!process.alive()) {
                continue; // the id may belong to another process by now
            }
            Role role =
                    switch (process.name()) {
                        case TestBed.ZOOKEEPER -> Role.ZOOKEEPER;
                        case TestBed.JOB_MANAGER -> Role.JOB_MANAGER;
                        default -> Role.TASK_MANAGER;
                    };
            watch(role, process.pid());
        }
    }

    /** Checks all processes. A process above its bound is reported once. */
    synchronized void look() {
        watched.forEach(
                (process, role) -> {
                    int mebibytes = mebibytes(process, "VmHWM:");
                    if (mebibytes < 0) {
                        watched.remove(process);
                        return;
                    }
                    most.merge(role, mebibytes, Math::max);
                    if (mebibytes > role.bound()) {
                        watched.remove(process);
                        findings.broken(
                                "a %s has %d MiB resident, bound %d"
                                        .formatted(role, mebibytes, role.bound()));
                    }
                });
    }

    /** The current resident memory in MiB, the largest of each kind. */
    synchronized Map<Role, Integer> now() {
        Map<Role, Integer> now = new TreeMap<>();
        watched.forEach(
                (process, role) -> now.merge(role, mebibytes(process, "VmRSS:"), Math::max));
        return now;
    }

    /** A value of a process in MiB; negative if the process has ended. */
    private static int mebibytes(ProcessHandle process, String key) {
        try {
            int mebibytes =
                    Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                            .filter(line -> line.startsWith(key))
                            .mapToInt(line -> Integer.parseInt(line.replaceAll("\\D", "")) >> 10)
                            .findFirst()
                            .orElse(-1);
            // Checked last: the value only belongs to this process if it is still alive.
            return process.isAlive() ? mebibytes : -1;
        } catch (IOException e) {
            return -1;
        }
    }

    /** The peak resident memory in MiB so far, the largest of each kind. */
    synchronized Map<Role, Integer> most() {
        return new TreeMap<>(most);
    }
}
