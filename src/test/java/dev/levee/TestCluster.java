package dev.levee;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cluster.JobJars;
import dev.levee.jobs.internal.cluster.LeveeHome;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A real cluster of processes, which notices soon what happens. It has Levee's classes on its own
 * class path, so a test's jobs after the first one do not load and compile them again. A highly
 * available one loads them from the jar that a job brings, as a user's cluster does.
 */
public final class TestCluster {
    private static final int HEAP = 256;
    private static final String TASK_MANAGER = "taskmanager-";

    private TestCluster() {}

    /**
     * Starts two TaskManagers of two slots.
     *
     * @param directory receives its files
     * @param more Flink options besides
     */
    public static LocalCluster start(Path directory, Map<String, String> more) throws IOException {
        LeveeHome home = LeveeHome.find();
        List<String> classPath = new ArrayList<>(home.clusterClassPath());
        classPath.add(home.jobJar().toString());
        Map<String, String> options = options();
        options.put(JobJars.OPTION, JobJars.sha256(home.jobJar()));
        options.putAll(more);
        return LocalCluster.start(
                new LocalCluster.Options(directory, classPath, 2, 2, 0, HEAP, options));
    }

    /** Kills the oldest TaskManager that is alive. */
    public static void killTaskManager(LocalCluster cluster) throws IOException {
        cluster.killTaskManager(taskManagers(cluster).get(0));
    }

    /** The numbers of TaskManagers that are alive. */
    static List<Integer> taskManagers(LocalCluster cluster) throws IOException {
        return cluster.processes().stream()
                .filter(process -> process.alive() && process.name().startsWith(TASK_MANAGER))
                .map(process -> Integer.valueOf(process.name().substring(TASK_MANAGER.length())))
                .toList();
    }

    /**
     * Two TaskManagers of two slots, whose jobs continue when the JobManager has ended and come
     * back.
     */
    static LocalCluster startHighlyAvailable(Path directory) throws IOException {
        return LocalCluster.start(
                new LocalCluster.Options(
                        directory,
                        LeveeHome.find().clusterClassPath(),
                        2,
                        2,
                        0,
                        HEAP,
                        true,
                        options()));
    }

    private static Map<String, String> options() {
        Map<String, String> options = new HashMap<>();
        options.put("heartbeat.interval", "1000");
        options.put("web.refresh-interval", "100ms");
        options.put("heartbeat.timeout", "5000");
        options.put("jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling", "0s");
        return options;
    }
}
