package dev.levee.jobs.internal.cluster;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Java processes of a directory. {@code processes} has a line for each process that was
 * started, and {@code log/} has its output.
 */
final class JavaProcesses {
    private static final String CAUSE = "Caused by: ";
    private static final String NO_CLASS = "java.lang.NoClassDefFoundError";

    private static final Pattern ERROR =
            Pattern.compile("^(Error|Exception|Unrecognized)|\\s(ERROR|FATAL)\\s");

    private static final Pattern ENTRY = Pattern.compile("^\\d{4}-\\d\\d-\\d\\d ");

    private final Path directory;
    private final Path file;

    JavaProcesses(Path directory) {
        this.directory = directory;
        this.file = directory.resolve("processes");
    }

    /** Prepares the directory for new processes, and forgets earlier ones. */
    void create() throws IOException {
        Files.createDirectories(logs());
        Files.createDirectories(directory.resolve("conf"));
        Files.writeString(
                directory.resolve("conf/log4j.properties"),
                """
                rootLogger.level = INFO
                rootLogger.appenderRef.file.ref = File
                appender.file.type = RollingFile
                appender.file.name = File
                appender.file.fileName = ${sys:log.file}
                appender.file.filePattern = ${sys:log.file}.%i
                appender.file.layout.type = PatternLayout
                appender.file.layout.pattern = %d %-5p %-40.40c{1.} %m%n
                appender.file.policies.type = Policies
                appender.file.policies.size.type = SizeBasedTriggeringPolicy
                appender.file.policies.size.size = 50MB
                appender.file.strategy.type = DefaultRolloverStrategy
                appender.file.strategy.max = 3
                """);
        Files.writeString(file, "");
    }

    /** The directory of the logs. */
    Path logs() {
        return directory.resolve("log");
    }

    /**
     * Returns a sentence that says that a process ended while starting, with the cause of the first
     * error it logged. Errors without a cause rank after those with one: ZooKeeper's client logs an
     * error about a login that it does not need. Missing class definitions rank last: a process
     * that ends closes its class loaders while some of its threads still run.
     */
    String ended(String name) throws IOException {
        List<String> caused = new ArrayList<>();
        List<String> plain = new ArrayList<>();
        List<String> late = new ArrayList<>();
        for (String ending : List.of(".log", ".out")) {
            Path file = logs().resolve(name + ending);
            if (!Files.exists(file)) {
                continue;
            }
            List<String> error = null;
            // This character set decodes any bytes.
            for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
                if (ERROR.matcher(line).find()) {
                    error = plain;
                    error.add(line);
                } else if (ENTRY.matcher(line).find()) {
                    error = null;
                } else if (error != null && line.startsWith(NO_CLASS)) {
                    error.remove(error.size() - 1);
                    late.add(line);
                    error = null;
                } else if (error != null && line.startsWith(CAUSE)) {
                    error.remove(error.size() - 1);
                    error = caused;
                    error.add(line.replace(CAUSE, ""));
                }
            }
        }
        String cause =
                Stream.of(caused, plain, late)
                        .flatMap(List::stream)
                        .findFirst()
                        .map(line -> ": " + line.strip())
                        .orElse("");
        return "ended while starting" + cause + "; see " + logs();
    }

    /** All processes that were started and not stopped, in order. */
    List<ClusterProcess> list() throws IOException {
        return lines().stream().map(ClusterProcess::read).toList();
    }

    private List<String> lines() throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** The first process that no longer runs, if any. */
    Optional<ClusterProcess> died() throws IOException {
        return list().stream().filter(each -> !each.alive()).findFirst();
    }

    /** Starts a process with this process's environment. */
    void start(String name, List<String> flags, String classPath, List<String> main)
            throws IOException {
        start(name, flags, classPath, main, Map.of());
    }

    /**
     * Starts a process that outlives this one. It replaces an earlier process of the same name.
     *
     * @param flags options of its JVM
     * @param main main class and arguments
     * @param environment environment variables, unless this process has them already
     */
    void start(
            String name,
            List<String> flags,
            String classPath,
            List<String> main,
            Map<String, String> environment)
            throws IOException {
        Process process = launch(name, flags, classPath, main, environment);
        List<String> lines = new ArrayList<>(lines());
        lines.removeIf(line -> ClusterProcess.read(line).name().equals(name));
        lines.add(ClusterProcess.of(name, process.toHandle()).line());
        Files.write(file, lines);
    }

    /** Runs a process to its end and returns its exit code. */
    int run(String name, List<String> flags, String classPath, List<String> main, Duration patience)
            throws IOException {
        Process process = launch(name, flags, classPath, main, Map.of());
        try {
            if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
            throw new IllegalStateException(
                    name + " did not end within " + patience.toSeconds() + " s; see " + logs());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(name + " was interrupted");
        } finally {
            process.destroyForcibly();
        }
    }

    /** The path of {@code java} of this process's JVM. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private Process launch(
            String name,
            List<String> flags,
            String classPath,
            List<String> main,
            Map<String, String> environment)
            throws IOException {
        Path log = logs().resolve(name + ".log");
        if (Files.exists(log)) {
            // Errors that an earlier process of this name logged did not end this one.
            Files.move(log, logs().resolve(name + ".previous.log"), REPLACE_EXISTING);
        }
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(flags);
        List<String> sharing =
                ClassData.flags(LeveeHome.find().classData(), main.get(0), classPath);
        command.addAll(sharing);
        command.add(
                "-Dlog4j2.configurationFile=" + directory.resolve("conf/log4j.properties").toUri());
        command.add("-Dlog.file=" + log);
        command.add("-cp");
        command.add(classPath);
        command.addAll(main);
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(logs().resolve(name + ".out").toFile())
                        .redirectInput(new File("/dev/null"));
        environment.forEach(builder.environment()::putIfAbsent);
        Process process = builder.start();
        ClassData.started(sharing, process.toHandle());
        return process;
    }

    /**
     * Ends every process that still runs, and forgets them. The one that was started first ends
     * last, because a JobManager whose ZooKeeper is gone waits for it.
     */
    void stopAll(Duration patience) throws IOException {
        List<ClusterProcess> all = list();
        List<ClusterProcess> later = all.subList(Math.min(1, all.size()), all.size());
        later.forEach(ClusterProcess::ask);
        later.forEach(each -> each.stop(patience));
        all.forEach(each -> each.stop(patience));
        Files.deleteIfExists(file);
    }
}
