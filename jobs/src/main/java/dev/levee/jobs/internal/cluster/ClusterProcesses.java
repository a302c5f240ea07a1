package dev.levee.jobs.internal.cluster;

import dev.levee.jobs.LocalCluster;

import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The processes of a local cluster and the files that say which they are: {@code conf/}, {@code
 * log/}, {@code cluster.properties} with how to start more, and {@code processes} with a line for
 * each one started.
 */
public final class ClusterProcesses {
    private static final String JOB_MANAGER = "jobmanager";

    private final Path directory;
    private final Properties properties;

    private ClusterProcesses(Path directory, Properties properties) {
        this.directory = directory;
        this.properties = properties;
    }

    /** Writes the files of a new cluster; starts nothing. */
    public static ClusterProcesses create(LocalCluster.Options options) throws IOException {
        Path directory = options.directory();
        Files.createDirectories(directory.resolve("log"));
        Files.createDirectories(directory.resolve("tmp"));
        int restPort = free(options.port());
        ClusterConfig.write(
                directory,
                restPort,
                free(0),
                options.slots(),
                options.heap(),
                options.configuration());
        Properties properties = new Properties();
        properties.setProperty("restPort", String.valueOf(restPort));
        properties.setProperty("heap", String.valueOf(options.heap()));
        properties.setProperty("classPath", String.join(File.pathSeparator, options.classPath()));
        try (var out = Files.newBufferedWriter(directory.resolve("cluster.properties"))) {
            properties.store(out, null);
        }
        Files.writeString(directory.resolve("processes"), "");
        return new ClusterProcesses(directory, properties);
    }

    /** The processes of a cluster whose JobManager still runs. */
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
        return processes.list().stream()
                .filter(each -> each.name().equals(JOB_MANAGER) && each.alive())
                .map(each -> processes)
                .findFirst();
    }

    /** Port {@code wanted}, or a free one for 0. */
    private static int free(int wanted) throws IOException {
        try (ServerSocket socket =
                new ServerSocket(wanted, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        } catch (BindException e) {
            throw new IllegalStateException(
                    "--port " + wanted + " is taken by another process; choose a free one", e);
        }
    }

    /** Port of the REST API. */
    public int restPort() {
        return Integer.parseInt(properties.getProperty("restPort"));
    }

    /** Where the logs are. */
    public Path logs() {
        return directory.resolve("log");
    }

    /** Every process started, in order. */
    public List<ClusterProcess> list() throws IOException {
        return Files.readAllLines(directory.resolve("processes")).stream()
                .map(ClusterProcess::read)
                .toList();
    }

    /** The first process that is no longer there, if any. */
    public Optional<ClusterProcess> died() throws IOException {
        return list().stream().filter(each -> !each.alive()).findFirst();
    }

    /** TaskManager {@code number}. */
    public ClusterProcess taskManager(int number) throws IOException {
        String name = "taskmanager-" + number;
        return list().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no " + name));
    }

    /** Starts the JobManager. */
    public void startJobManager() throws IOException {
        start(
                JOB_MANAGER,
                List.of("-Xmx768m", "-XX:MaxMetaspaceSize=256m"),
                List.of(
                        "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
                        "--configDir",
                        directory.resolve("conf").toString(),
                        "--executionMode",
                        "cluster"));
    }

    /** Starts one more TaskManager and returns its number. */
    public int startTaskManager() throws IOException {
        int number = list().size();
        start(
                "taskmanager-" + number,
                List.of(
                        ClusterConfig.taskManagerMemory(
                                Integer.parseInt(properties.getProperty("heap")))),
                List.of(
                        "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                        "--configDir",
                        directory.resolve("conf").toString(),
                        "-D",
                        "taskmanager.resource-id=taskmanager-" + number));
        return number;
    }

    private void start(String name, List<String> memory, List<String> main) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(memory);
        command.addAll(JvmFlags.read());
        command.add(
                "-Dlog4j2.configurationFile=" + directory.resolve("conf/log4j.properties").toUri());
        command.add("-Dlog.file=" + logs().resolve(name + ".log"));
        command.add("-cp");
        command.add(properties.getProperty("classPath"));
        command.addAll(main);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(directory.toFile());
        builder.redirectErrorStream(true);
        builder.redirectOutput(logs().resolve(name + ".out").toFile());
        builder.redirectInput(new File("/dev/null"));
        Process process = builder.start();
        List<String> lines = new ArrayList<>(Files.readAllLines(directory.resolve("processes")));
        lines.add(ClusterProcess.of(name, process.toHandle()).line());
        Files.write(directory.resolve("processes"), lines);
    }

    /** Ends every process that still runs, TaskManagers first, and forgets them. */
    public void stopAll(Duration patience) throws IOException {
        List<ClusterProcess> all = new ArrayList<>(list());
        Collections.reverse(all);
        all.forEach(ClusterProcess::ask);
        all.forEach(each -> each.stop(patience));
        Files.deleteIfExists(directory.resolve("cluster.properties"));
        Files.deleteIfExists(directory.resolve("processes"));
    }
}
