package dev.levee.benchmarks.sharing;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;

import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs jobs on a separate cluster with an allocator of one policy. */
final class Sharing {
    /** Number of slots, one in each TaskManager. */
    public static final int SLOTS = 4;

    private static final int HEAP = 256;
    private static final Duration PATIENCE = Duration.ofHours(2);

    private final Path directory;
    private final String policy;
    private final String every;

    /**
     * Prepares the experiment.
     *
     * @param directory directory for all files, which must not exist yet
     * @param policy policy of the allocator
     * @param every time between the allocator's decisions
     */
    public Sharing(Path directory, String policy, String every) {
        this.directory = directory;
        this.policy = policy;
        this.every = every;
    }

    /**
     * Submits the jobs at their arrival times, and waits until the last has ended.
     *
     * @throws IOException if the cluster does not answer, or a job has left no results
     */
    public PolicyResult run(List<Arrival> arrivals) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        try (LocalCluster cluster =
                        LocalCluster.start(
                                new LocalCluster.Options(
                                        directory.resolve("cluster"),
                                        LeveeHome.find().clusterClassPath(),
                                        SLOTS,
                                        1,
                                        0,
                                        HEAP,
                                        Map.of()));
                PrintWriter log =
                        new PrintWriter(Files.newBufferedWriter(directory.resolve("log")), true)) {
            Thread allocator =
                    new Thread(
                            () ->
                                    command(
                                            log,
                                            List.of(
                                                    "allocate",
                                                    "--target=" + cluster.restUrl(),
                                                    "--policy=" + policy,
                                                    "--decide-every=" + every,
                                                    "--measure-every=" + every,
                                                    "--explain",
                                                    "--store=" + directory.resolve("store.json"))),
                            "allocator");
            allocator.setDaemon(true);
            allocator.start();
            try {
                return share(cluster, arrivals, log);
            } finally {
                allocator.interrupt();
                allocator.join();
            }
        }
    }

    private PolicyResult share(LocalCluster cluster, List<Arrival> arrivals, PrintWriter log)
            throws IOException, InterruptedException {
        long start = System.currentTimeMillis();
        List<String> ids = new ArrayList<>();
        for (Arrival arrival : arrivals) {
            long early = start + arrival.after().toMillis() - System.currentTimeMillis();
            Thread.sleep(Math.max(0, early));
            ids.add(submit(cluster, arrival, log));
        }
        FlinkRest rest = cluster.rest();
        if (!Await.until(PATIENCE, () -> ended(rest) == arrivals.size())) {
            throw new IOException("not all jobs have ended within " + PATIENCE.toHours() + " h");
        }
        List<PolicyResult.Times> times = new ArrayList<>();
        for (int job = 0; job < ids.size(); job++) {
            JsonNode about = afterItsEnd(rest, ids.get(job));
            if (!about.path("state").asText().equals("FINISHED")) {
                throw new IOException(
                        "%s has state %s; logs are in %s"
                                .formatted(
                                        arrivals.get(job).name(),
                                        about.path("state").asText(),
                                        directory));
            }
            JsonNode metric = rest.get("/jobs/" + ids.get(job) + "/metrics?get=numRestarts");
            times.add(
                    new PolicyResult.Times(
                            arrivals.get(job).after().toMillis() / 1e3,
                            (about.path("end-time").asLong() - start) / 1e3,
                            metric.path(0).path("value").asLong()));
        }
        PolicyResult.write(directory, times);
        return PolicyResult.read(policy, directory, arrivals);
    }

    /** The state of a job after its end; for some seconds, Flink shows an older state. */
    private static JsonNode afterItsEnd(FlinkRest rest, String id)
            throws IOException, InterruptedException {
        Await.until(PATIENCE, () -> rest.get("/jobs/" + id).path("end-time").asLong() > 0);
        return rest.get("/jobs/" + id);
    }

    private Path folder(Arrival arrival) {
        return directory.resolve(arrival.name());
    }

    private String submit(LocalCluster cluster, Arrival arrival, PrintWriter log)
            throws IOException {
        List<String> words = new ArrayList<>(List.of("train", "--target=" + cluster.restUrl()));
        words.addAll(arrival.options());
        words.add("--output=" + folder(arrival));
        words.add("--detach");
        if (command(log, words) != 0) {
            throw new IOException(
                    arrival.name() + " was not submitted; see " + directory.resolve("log"));
        }
        return new RunFiles(folder(arrival).toString())
                .record()
                .orElseThrow(() -> new IOException(folder(arrival) + " has no run.json"))
                .jobs()
                .get(0)
                .id();
    }

    private static int command(PrintWriter log, List<String> words) {
        CommandLine line = LeveeCommand.commandLine();
        line.setOut(log);
        line.setErr(log);
        return line.execute(words.toArray(new String[0]));
    }

    private static int ended(FlinkRest rest) throws IOException {
        int ended = 0;
        for (JsonNode job : rest.get("/jobs/overview").path("jobs")) {
            ended += job.path("end-time").asLong() > 0 ? 1 : 0;
        }
        return ended;
    }
}
