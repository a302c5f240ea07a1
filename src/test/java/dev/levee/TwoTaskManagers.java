package dev.levee;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cluster.Home;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A real cluster of four slots in two TaskManager processes, which notices soon what happens. */
public final class TwoTaskManagers {
    private TwoTaskManagers() {}

    /**
     * Starts it.
     *
     * @param directory receives its files
     * @param more Flink options besides
     */
    public static LocalCluster start(Path directory, Map<String, String> more) throws IOException {
        return start(directory, false, more);
    }

    /** The same, whose jobs go on when its JobManager has ended and come back. */
    static LocalCluster startHighlyAvailable(Path directory) throws IOException {
        return start(directory, true, Map.of());
    }

    private static LocalCluster start(
            Path directory, boolean highAvailability, Map<String, String> more) throws IOException {
        Map<String, String> options = new HashMap<>();
        options.put("heartbeat.interval", "500");
        options.put("heartbeat.timeout", "5000");
        options.put("jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling", "0s");
        options.putAll(more);
        return LocalCluster.start(
                new LocalCluster.Options(
                        directory,
                        Home.find().clusterClassPath(),
                        2,
                        2,
                        0,
                        256,
                        highAvailability,
                        options));
    }
}
