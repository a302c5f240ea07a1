package dev.levee.jobs.internal.cluster;

import dev.levee.jobs.internal.config.setting.ConfigFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The configuration of the processes of a local cluster. */
public final class ClusterConfig {
    private static final String HEAP = "--heap or --memory";

    /** Options that do not reach a JVM which has started, and what sets them. */
    private static final Map<String, String> ELSEWHERE =
            Map.of(
                    "rest.port",
                    "--port",
                    "rest.bind-port",
                    "--port",
                    "taskmanager.memory.flink.size",
                    HEAP,
                    "taskmanager.memory.framework.heap.size",
                    HEAP,
                    "taskmanager.memory.task.heap.size",
                    HEAP,
                    "taskmanager.memory.jvm-metaspace.size",
                    "-D env.java.opts.taskmanager=-XX:MaxMetaspaceSize=...");

    private ClusterConfig() {}

    /**
     * Refuses options that would not take effect. The flags of the JVMs and the port of the REST
     * API are fixed before Flink reads its options.
     *
     * @throws IllegalArgumentException if one would not; one sentence
     */
    public static void check(Map<String, String> options) {
        for (String key : options.keySet()) {
            String instead =
                    key.startsWith("jobmanager.memory.")
                            ? "-D env.java.opts.jobmanager=-Xmx..."
                            : ELSEWHERE.get(key);
            if (instead != null) {
                throw new IllegalArgumentException(
                        "-D %s cannot be set on a local cluster; use %s instead"
                                .formatted(key, instead));
            }
        }
    }

    /** Writes {@code conf/config.yaml} of a local cluster. */
    static void write(
            Path directory,
            int restPort,
            int rpcPort,
            int slots,
            TaskManagerMemory memory,
            Map<String, ?> more)
            throws IOException {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("jobmanager.rpc.address", "127.0.0.1");
        values.put("jobmanager.rpc.port", rpcPort);
        values.put("jobmanager.bind-host", "127.0.0.1");
        values.put("rest.address", "127.0.0.1");
        values.put("rest.bind-address", "127.0.0.1");
        values.put("rest.port", restPort);
        values.put("rest.bind-port", String.valueOf(restPort));
        values.put("taskmanager.host", "127.0.0.1");
        values.put("taskmanager.bind-host", "127.0.0.1");
        values.put("jobmanager.scheduler", "adaptive");
        // A local cluster has all its machines from the start, so there is little to wait for.
        values.put("jobmanager.adaptive-scheduler.submission.resource-stabilization-timeout", "1s");
        values.put("jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling", "1s");
        values.put("jobmanager.adaptive-scheduler.executing.resource-stabilization-timeout", "1s");
        // A job waits until there is room; by default it would fail after five minutes.
        values.put("jobmanager.adaptive-scheduler.submission.resource-wait-timeout", "3650d");
        // Slots that one job frees soon reach another that waits for them.
        values.put("slot.idle.timeout", "1s");
        values.put("web.submit.enable", true);
        values.put("web.upload.dir", directory.resolve("tmp").toString());
        values.put("io.tmp.dirs", directory.resolve("tmp").toString());
        values.put("metrics.fetcher.update-interval", 1000);
        // The REST API's answers about a job are at most this old.
        values.put("web.refresh-interval", "1s");
        // While one TaskManager does not answer, Flink updates no metrics, and a lost one never
        // answers.
        values.put("web.timeout", "60s");
        values.put("taskmanager.numberOfTaskSlots", slots);
        values.put("taskmanager.cpu.cores", (double) slots);
        values.putAll(memory.options());
        values.putAll(more);
        Files.writeString(directory.resolve("conf/config.yaml"), ConfigFile.write(values));
    }
}
