package dev.levee.jobs.internal.cli;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cli.failure.Failures;
import dev.levee.jobs.internal.cluster.ClusterProcess;
import dev.levee.jobs.internal.cluster.JobJars;
import dev.levee.jobs.internal.cluster.JvmFlags;
import dev.levee.jobs.internal.cluster.LeveeHome;

import org.apache.flink.configuration.TaskManagerOptions;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Starts, stops and shows the local cluster. */
@Command(
        name = "cluster",
        description = "Manage a Flink session cluster on this machine, in separate processes.",
        synopsisSubcommandLabel = "start|add|recover|status|stop|lib")
final class ClusterCommand extends CommandGroup {
    @Command(
            name = "start",
            description = "Start a JobManager and TaskManagers, and wait until they are ready.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    int start(
            @Option(
                            names = "--taskmanagers",
                            paramLabel = "N",
                            defaultValue = "2",
                            description = "Number of TaskManagers (default: ${DEFAULT-VALUE}).")
                    int taskManagers,
            @Option(
                            names = "--slots",
                            paramLabel = "N",
                            defaultValue = "2",
                            description = "Slots per TaskManager (default: ${DEFAULT-VALUE}).")
                    int slots,
            @Option(
                            names = "--port",
                            paramLabel = "PORT",
                            defaultValue = "8081",
                            description =
                                    "Port of the web UI and the REST API (default: "
                                            + "${DEFAULT-VALUE}).")
                    int port,
            @Option(
                            names = "--heap",
                            paramLabel = "MIB",
                            defaultValue = "1024",
                            description =
                                    "Task heap of each TaskManager in MiB (default: "
                                            + "${DEFAULT-VALUE}).")
                    int heap,
            @Option(
                            names = "--memory",
                            paramLabel = "MIB",
                            description =
                                    "Memory of each TaskManager's whole process in MiB, instead of"
                                            + " --heap.")
                    Integer memory,
            @Option(
                            names = "--ha",
                            negatable = true,
                            defaultValue = "true",
                            fallbackValue = "true",
                            description =
                                    "Store job metadata in ZooKeeper, so that jobs continue after"
                                            + " the JobManager is restarted (default: true).")
                    boolean highAvailability,
            @Option(
                            names = "-D",
                            paramLabel = "KEY=VALUE",
                            description =
                                    "A Flink option; may be repeated. Those for which this command"
                                            + " has an option of its own are refused.")
                    Map<String, String> configuration)
            throws IOException {
        range("--taskmanagers", taskManagers, 1, 128);
        range("--slots", slots, 1, 128);
        range("--port", port, 0, 65535);
        range("--heap", heap, 64, 1_000_000);
        Map<String, String> options = new HashMap<>();
        if (memory != null) {
            range("--memory", memory, 512, 1_000_000);
            options.put(TaskManagerOptions.TOTAL_PROCESS_MEMORY.key(), memory + "m");
        }
        if (configuration != null) {
            options.putAll(configuration);
        }
        LeveeHome home = LeveeHome.find();
        LocalCluster.Options cluster =
                checked(
                        () ->
                                new LocalCluster.Options(
                                        home.clusterDirectory(),
                                        home.clusterClassPath(),
                                        taskManagers,
                                        slots,
                                        port,
                                        heap,
                                        highAvailability,
                                        options));
        out().println(
                        "Starting a JobManager and "
                                + taskManagers
                                + (taskManagers == 1 ? " TaskManager …" : " TaskManagers …"));
        @SuppressWarnings("resource") // outlives this command
        LocalCluster started = LocalCluster.start(cluster);
        out().println("The cluster runs at " + started.restUrl());
        out().println("Train on it with: levee train --target " + started.restUrl());
        out().println("Logs are in " + home.clusterDirectory().resolve("log"));
        return 0;
    }

    @Command(
            name = "add",
            description =
                    "Start another TaskManager, for example to replace one that has stopped, and"
                            + " wait until it is ready.",
            mixinStandardHelpOptions = true)
    int add() throws IOException {
        LocalCluster cluster = running();
        if (!cluster.jobManagerRuns()) {
            throw new IllegalStateException(
                    "The cluster's JobManager has ended; levee cluster recover restarts it.");
        }
        int number = cluster.addTaskManager();
        out().println("Starting taskmanager-" + number + " …");
        out().flush();
        cluster.awaitTaskManager(number);
        return 0;
    }

    private static LocalCluster running() throws IOException {
        return LocalCluster.find(LeveeHome.find().clusterDirectory())
                .orElseThrow(() -> new IllegalStateException("No cluster is running."));
    }

    @Command(
            name = "recover",
            description = "Restart the JobManager.",
            mixinStandardHelpOptions = true)
    int recover() throws IOException {
        LocalCluster cluster = running();
        if (cluster.jobManagerRuns()) {
            out().println("The cluster's JobManager runs at " + cluster.restUrl());
        } else {
            cluster.recover();
            out().println(
                            "The cluster's JobManager runs again at "
                                    + cluster.restUrl()
                                    + (cluster.highlyAvailable()
                                            ? ", and its jobs continue"
                                            : "; its jobs are lost, but not their checkpoints"));
        }
        return 0;
    }

    @Command(
            name = "stop",
            description = "Stop the cluster and delete its working files; logs are kept.",
            mixinStandardHelpOptions = true)
    int stop() throws IOException {
        Optional<LocalCluster> cluster = LocalCluster.find(LeveeHome.find().clusterDirectory());
        if (cluster.isPresent()) {
            cluster.get().close();
        }
        out().println(cluster.isPresent() ? "The cluster has ended." : "No cluster is running.");
        return 0;
    }

    @Command(
            name = "status",
            description = "Show whether the cluster is running, its processes, slots and jobs.",
            footer = {"", "Exit status: 0 it is running, 1 it is not, 2 wrong usage."},
            mixinStandardHelpOptions = true)
    int status() throws IOException {
        Optional<LocalCluster> found = LocalCluster.find(LeveeHome.find().clusterDirectory());
        if (found.isEmpty()) {
            out().println("No cluster is running.");
            return 1;
        }
        LocalCluster cluster = found.get();
        boolean answers = cluster.jobManagerRuns();
        out().println(
                        answers
                                ? "The cluster runs at " + cluster.restUrl()
                                : "The cluster's JobManager has ended, but other processes "
                                        + "are running; levee cluster recover restarts it, levee "
                                        + "cluster stop ends them.");
        for (ClusterProcess process : cluster.processes()) {
            out().printf(
                            "  %-15s process %-8d %s%n",
                            process.name(), process.pid(), process.alive() ? "running" : "ended");
        }
        if (!answers) {
            return 1;
        }
        JsonNode overview = cluster.rest().get("/overview");
        out().printf(
                        "  %d of %d slots free%n",
                        overview.path("slots-available").asInt(),
                        overview.path("slots-total").asInt());
        for (JsonNode job : cluster.rest().get("/jobs/overview").path("jobs")) {
            out().printf(
                            "  job %s %s %s%n",
                            job.path("jid").asText(),
                            job.path("state").asText(),
                            job.path("name").asText());
        }
        return 0;
    }

    @Command(
            name = "lib",
            description =
                    "Copy the jars that your own Flink installation needs to its lib folder, and"
                            + " print the JVM flags for its processes.",
            mixinStandardHelpOptions = true)
    int lib(
            @Option(
                            names = "--out",
                            paramLabel = "DIR",
                            required = true,
                            description = "Target folder, such as $FLINK_HOME/lib.")
                    Path directory,
            @Option(
                            names = "--job-jar",
                            description =
                                    "Also copy the job jar, so that jobs of this build do not"
                                            + " upload it. Requires a restart of the cluster after"
                                            + " each new build.")
                    boolean withJobJar)
            throws IOException {
        if (directory.toString().isEmpty()) {
            throw wrong("--out must name a directory, such as $FLINK_HOME/lib");
        }
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw wrong("--out " + directory + " is not a directory");
        }
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw wrong("--out " + directory + " cannot be created: " + Failures.sentence(e));
        }
        LeveeHome home = LeveeHome.find();
        List<Path> jars = new ArrayList<>(home.clusterLib());
        if (withJobJar) {
            jars.add(home.jobJar());
        }
        for (Path jar : jars) {
            Path copy = directory.resolve(jar.getFileName());
            Files.copy(jar, copy, StandardCopyOption.REPLACE_EXISTING);
            out().println(copy);
        }
        out().println();
        out().println("In conf/config.yaml of Flink, for all processes:");
        out().println("env.java.opts.all: " + String.join(" ", JvmFlags.ofFlink()));
        if (withJobJar) {
            out().println(JobJars.OPTION + ": " + JobJars.sha256(home.jobJar()));
        }
        return 0;
    }
}
