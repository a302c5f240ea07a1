package dev.levee.jobs.internal.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The directory in which Levee was built, which the launcher and the tests pass in the system
 * property {@code levee.home}.
 *
 * @param directory top of the repository
 */
public record LeveeHome(Path directory) {
    /** Finds the home of this process. */
    public static LeveeHome find() {
        String home = System.getProperty("levee.home");
        if (home == null) {
            throw new IllegalStateException("start Levee through its launcher, ./levee");
        }
        return new LeveeHome(Path.of(home).toAbsolutePath().normalize());
    }

    /** The job jar: Levee without Flink and DJL. */
    public Path jobJar() {
        return directory.resolve("jobs/target/levee-jobs.jar");
    }

    /**
     * The jars that are submitted with a job: the job jar, and jars of plugins that the launcher
     * passes in the system property {@code levee.plugins}.
     */
    public List<Path> jobJars() {
        List<Path> jars = new ArrayList<>(List.of(jobJar()));
        for (String plugin : System.getProperty("levee.plugins", "").split(File.pathSeparator)) {
            if (!plugin.isEmpty()) {
                jars.add(Path.of(plugin).toAbsolutePath());
            }
        }
        return jars;
    }

    /** The class path of the command line. */
    List<String> launcherClassPath() throws IOException {
        List<String> jars = new ArrayList<>();
        jars.add(directory.resolve("jobs/target/levee.jar").toString());
        jars.addAll(classPath("jobs/target/classpath.txt"));
        return jars;
    }

    /**
     * The class path of a cluster's processes: Flink, DJL with its natives, logging, and the filter
     * on restored state, which must be there before any job brings classes.
     */
    public List<String> clusterClassPath() throws IOException {
        return withRestoreFilter("jobs/target/cluster-classpath.txt");
    }

    /**
     * The jars that a Flink distribution lacks in {@code lib}: DJL with its natives, and the filter
     * on restored state.
     */
    public List<Path> clusterLib() throws IOException {
        return withRestoreFilter("jobs/target/cluster-lib.txt").stream().map(Path::of).toList();
    }

    private List<String> withRestoreFilter(String name) throws IOException {
        List<String> jars = new ArrayList<>(classPath(name));
        jars.add(directory.resolve("jobs/target/levee-restore-filter.jar").toString());
        return jars;
    }

    /** The directory of class archives, which Java processes share. */
    Path classData() {
        return directory.resolve("jobs/target/class-data");
    }

    /** The class path of a Kafka broker. */
    List<String> kafkaClassPath() throws IOException {
        return classPath("connectors/kafka-broker/target/classpath.txt");
    }

    /** The class path of a local S3 server. */
    List<String> storeClassPath() throws IOException {
        return classPath("connectors/object-store/target/classpath.txt");
    }

    /** The directory of Flink's plugins, with a folder for each. */
    public Path plugins() {
        return directory.resolve("connectors/object-store/target/plugins");
    }

    private List<String> classPath(String name) throws IOException {
        Path file = directory.resolve(name);
        try {
            return Arrays.stream(Files.readString(file).trim().split(File.pathSeparator))
                    .map(jar -> directory.resolve(jar).toString()) // relative in a release
                    .toList();
        } catch (NoSuchFileException e) {
            throw new IllegalStateException(file + " is missing; build with ./levee version", e);
        }
    }

    /** The directory of the cluster of {@code levee cluster}. */
    public Path clusterDirectory() {
        return base().resolve("cluster");
    }

    /** The directory of the broker of {@code levee kafka}. */
    public Path kafkaDirectory() {
        return base().resolve("kafka");
    }

    /** The directory of the S3 server of {@code levee store}. */
    public Path storeDirectory() {
        return base().resolve("store");
    }

    /** The default file of the state of {@code levee allocate}. */
    public Path allocatorStore() {
        return base().resolve("allocator.json");
    }

    /** The default queue of {@code levee allocate}. */
    public Path queue() {
        return queueBeside(allocatorStore());
    }

    /** The queue of an allocator that keeps its state in this file. */
    public static Path queueBeside(Path store) {
        return store.toAbsolutePath().resolveSibling("queue");
    }

    /** The history of the shell of {@code levee sql}. */
    public Path sqlHistory() {
        return base().resolve("sql-history");
    }

    private Path base() {
        String chosen = System.getenv("LEVEE_HOME");
        Path base = chosen == null ? directory.resolve(".levee") : Path.of(chosen);
        return base.toAbsolutePath();
    }
}
