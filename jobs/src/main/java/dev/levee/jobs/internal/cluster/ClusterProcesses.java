package dev.levee.jobs.internal.cluster;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The processes of a local cluster and their files. {@code conf/} and {@code log/} are those of
 * Flink, {@code cluster.properties} has what is needed to start more processes, {@code processes}
 * has a line for each process that was started, and {@code jobs/} has the state from which a
 * restarted JobManager continues.
 */
public final class ClusterProcesses {
    private static final String JOB_MANAGER = "jobmanager";
    private static final String ZOO_KEEPER = "zookeeper";
    private static final String TASK_MANAGER = "taskmanager-";
    private static final String TEMPORARY = "tmp";
    private static final String HIGH_AVAILABILITY = "highAvailability";
    private static final String JOB_MANAGER_FLAGS = "jobManagerFlags";
    private static final String TASK_MANAGER_FLAGS = "taskManagerFlags";
    private static final String FRUGAL = "frugal";

    private final Path directory;
    private final JavaProcesses processes;
    private final Properties properties;

    private ClusterProcesses(Path directory, Properties properties) {
        this.directory = directory;
        this.processes = new JavaProcesses(directory);
        this.properties = properties;
    }

    /**
     * Writes the files of a new cluster. Starts no process.
     *
     * @param classPath of all its processes
     * @param port the port of the REST API, 0 for any that is free
     * @param slots the slots of each TaskManager
     * @param heap MiB for the tasks of each TaskManager, unless the configuration gives the size of
     *     its process
     * @param highAvailability true if a restarted JobManager continues its jobs
     * @param configuration further Flink options; {@code env.java.opts.all}, {@code .jobmanager}
     *     and {@code .taskmanager} are options of the JVMs, as in Flink's scripts
     * @throws IllegalArgumentException if a process is too small; one sentence
     */
    public static ClusterProcesses create(
            Path directory,
            List<String> classPath,
            int port,
            int slots,
            int heap,
            boolean highAvailability,
            Map<String, String> configuration)
            throws IOException {
        TaskManagerMemory memory = memory(heap, configuration);
        Files.createDirectories(directory.resolve(TEMPORARY));
        int restPort = Ports.free(port);
        int rpcPort = Ports.free(0);
        new JavaProcesses(directory).create();
        Map<String, Object> more = new LinkedHashMap<>();
        if (highAvailability) {
            more.putAll(ZooKeeperConfig.create(directory, Ports.free(0), rpcPort));
        }
        more.putAll(configuration);
        ClusterConfig.write(directory, restPort, rpcPort, slots, memory, more);
        Properties properties = new Properties();
        properties.setProperty(HIGH_AVAILABILITY, String.valueOf(highAvailability));
        properties.setProperty("restPort", String.valueOf(restPort));
        properties.setProperty(
                JOB_MANAGER_FLAGS,
                flags(
                        List.of("-Xmx768m", "-XX:MaxMetaspaceSize=256m"),
                        configuration,
                        CoreOptions.FLINK_JM_JVM_OPTIONS));
        properties.setProperty(
                TASK_MANAGER_FLAGS,
                flags(memory.flags(), configuration, CoreOptions.FLINK_TM_JVM_OPTIONS));
        properties.setProperty(FRUGAL, String.valueOf(process(configuration) != null));
        properties.setProperty("classPath", String.join(File.pathSeparator, classPath));
        try (var out = Files.newBufferedWriter(directory.resolve("cluster.properties"))) {
            properties.store(out, null);
        }
        return new ClusterProcesses(directory, properties);
    }

    private static TaskManagerMemory memory(int heap, Map<String, String> configuration) {
        String process = process(configuration);
        return process == null
                ? TaskManagerMemory.ofHeap(heap)
                : TaskManagerMemory.ofProcess(MemorySize.parse(process).getMebiBytes());
    }

    /** Joins Levee's JVM flags with those that the user gives to all processes and to this kind. */
    private static String flags(
            List<String> own, Map<String, String> configuration, ConfigOption<String> ofKind) {
        List<String> flags = new ArrayList<>();
        // By default, a process that a busy machine delays ends 10 s after it began to listen.
        // Flink's own option, pekko.startup-timeout, does not change that.
        flags.add("-Dpekko.remote.classic.startup-timeout=120s");
        flags.addAll(own);
        Configuration given = Configuration.fromMap(configuration);
        flags.add(given.get(CoreOptions.FLINK_JVM_OPTIONS));
        flags.add(given.get(ofKind));
        return String.join(" ", flags).strip();
    }

    /** The configured size of a process, null if it follows from its heap. */
    private static String process(Map<String, String> configuration) {
        return configuration.get(TaskManagerOptions.TOTAL_PROCESS_MEMORY.key());
    }

    /** Finds the cluster in a directory, if at least one of its processes still runs. */
    public static Optional<ClusterProcesses> find(Path directory) throws IOException {
        Path file = directory.resolve("cluster.properties");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (var in = Files.newBufferedReader(file)) {
            properties.load(in);
        }
        ClusterProcesses processes = new ClusterProcesses(directory, properties);
        return processes.list().stream().anyMatch(ClusterProcess::alive)
                ? Optional.of(processes)
                : Optional.empty();
    }

    public boolean jobManagerRuns() throws IOException {
        return runs(JOB_MANAGER);
    }

    private boolean runs(String name) throws IOException {
        return list().stream().anyMatch(each -> each.name().equals(name) && each.alive());
    }

    /** True if a restarted JobManager continues its jobs. */
    public boolean highlyAvailable() {
        return Boolean.parseBoolean(properties.getProperty(HIGH_AVAILABILITY));
    }

    /** The port of the REST API. */
    public int restPort() {
        return Integer.parseInt(properties.getProperty("restPort"));
    }

    /** The directory of the logs. */
    public Path logs() {
        return processes.logs();
    }

    /** Says that a process ended while starting, with the cause of the first error it logged. */
    public String ended(ClusterProcess process) throws IOException {
        return process.name() + " " + processes.ended(process.name());
    }

    /** All processes that were started, in order. */
    public List<ClusterProcess> list() throws IOException {
        return processes.list();
    }

    /** The first process that no longer runs, if any. */
    public Optional<ClusterProcess> died() throws IOException {
        return processes.died();
    }

    /** The process of TaskManager {@code number}. */
    public ClusterProcess taskManager(int number) throws IOException {
        return process(TASK_MANAGER + number);
    }

    public ClusterProcess jobManager() throws IOException {
        return process(JOB_MANAGER);
    }

    private ClusterProcess process(String name) throws IOException {
        return list().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no " + name));
    }

    /** Starts the JobManager, and ZooKeeper if the cluster is highly available, unless they run. */
    public void startJobManager() throws IOException {
        if (highlyAvailable() && !runs(ZOO_KEEPER)) {
            start(
                    ZOO_KEEPER,
                    List.of(
                            "-Xmx128m",
                            "-XX:MaxMetaspaceSize=128m",
                            "-XX:TieredStopAtLevel=1",
                            "-Dznode.container.checkIntervalMs=" + ZooKeeperConfig.NEVER),
                    List.of(
                            "org.apache.flink.runtime.zookeeper.FlinkZooKeeperQuorumPeer",
                            "--zkConfigFile",
                            ZooKeeperConfig.file(directory).toString(),
                            "--peerId",
                            "1"));
        }
        if (runs(JOB_MANAGER)) {
            return;
        }
        start(
                JOB_MANAGER,
                flags(JOB_MANAGER_FLAGS),
                List.of(
                        "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
                        "--configDir",
                        directory.resolve("conf").toString(),
                        "--executionMode",
                        "cluster"));
    }

    /** Starts one more TaskManager and returns its number. */
    public int startTaskManager() throws IOException {
        int number =
                1
                        + list().stream()
                                .map(ClusterProcess::name)
                                .filter(name -> name.startsWith(TASK_MANAGER))
                                .mapToInt(ClusterProcesses::number)
                                .max()
                                .orElse(0);
        start(
                TASK_MANAGER + number,
                flags(TASK_MANAGER_FLAGS),
                List.of(
                        "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                        "--configDir",
                        directory.resolve("conf").toString(),
                        "-D",
                        "taskmanager.resource-id=" + TASK_MANAGER + number),
                Boolean.parseBoolean(properties.getProperty(FRUGAL))
                        ? TaskManagerMemory.frugal()
                        : Map.of());
        return number;
    }

    private List<String> flags(String property) {
        return List.of(properties.getProperty(property).split(" +"));
    }

    private static int number(String name) {
        return Integer.parseInt(name.substring(TASK_MANAGER.length()));
    }

    private void start(String name, List<String> memory, List<String> main) throws IOException {
        start(name, memory, main, Map.of());
    }

    private void start(
            String name, List<String> memory, List<String> main, Map<String, String> environment)
            throws IOException {
        List<String> flags = new ArrayList<>(memory);
        flags.addAll(JvmFlags.ofFlink());
        processes.start(name, flags, properties.getProperty("classPath"), main, environment);
    }

    /**
     * Ends every process that still runs, TaskManagers first, and forgets them. Configuration and
     * logs stay. Working files are deleted, such as hundreds of MB of job jars.
     */
    public void stopAll(Duration patience) throws IOException {
        processes.stopAll(patience);
        FileTree.delete(directory.resolve(TEMPORARY));
        FileTree.delete(ZooKeeperConfig.jobs(directory));
        Files.deleteIfExists(directory.resolve("cluster.properties"));
    }
}
