package dev.levee.benchmarks.siege;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The most memory that each process has had resident (VmHWM in {@code /proc}), against a bound for
 * what it is.
 */
final class MemoryBounds {
    /** What a process is, and MiB that it may have. */
    enum Role {
        /** 768 MiB of heap, 256 of metaspace, and what a JVM takes besides. */
        JOB_MANAGER("JobManager", 1400),
        /** Its total process memory as Flink counts it for 256 MiB of task heap. */
        TASK_MANAGER("TaskManager", 1344),
        /** 128 MiB of heap, 128 of metaspace. */
        ZOOKEEPER("ZooKeeper", 450),
        /** 512 MiB of heap, and files that it maps. */
        BROKER("broker", 1000),
        /** 128 MiB of heap. */
        WORKER("worker", 400),
        /** 256 MiB of heap. */
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
    private final Map<Long, Role> watched = new ConcurrentHashMap<>();
    private final Map<Role, Integer> most = new TreeMap<>();

    MemoryBounds(Findings findings) {
        this.findings = findings;
    }

    /** Watches a process until it ends. */
    void watch(Role role, long pid) {
        watched.put(pid, role);
    }

    /** Looks at all of them; a process above its bound is told once. */
    synchronized void look() {
        watched.forEach(
                (pid, role) -> {
                    int mebibytes = peak(pid);
                    if (mebibytes < 0) {
                        watched.remove(pid);
                        return;
                    }
                    most.merge(role, mebibytes, Math::max);
                    if (mebibytes > role.bound()) {
                        watched.remove(pid);
                        findings.broken(
                                "a %s has %d MiB resident, bound %d"
                                        .formatted(role, mebibytes, role.bound()));
                    }
                });
    }

    private static int peak(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToInt(line -> Integer.parseInt(line.replaceAll("\\D", "")) >> 10)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException e) {
            return -1; // it has ended
        }
    }

    /** Most MiB of any process of each role so far. */
    synchronized Map<Role, Integer> most() {
        return new TreeMap<>(most);
    }
}
