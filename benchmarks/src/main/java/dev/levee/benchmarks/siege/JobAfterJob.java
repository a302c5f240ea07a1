package dev.levee.benchmarks.siege;

import dev.levee.jobs.cluster.LocalCluster;
import dev.levee.jobs.internal.cluster.LeveeHome;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs trainings one after another in one session cluster, each with its own client. Memory that
 * jobs leave in the cluster's processes would accumulate.
 */
final class JobAfterJob {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int TASK_MANAGERS = 2;
    private static final int SLOTS = 2;
    private static final int TASK_HEAP = 256;
    private static final int LOOKS = 10;

    private final int jobs;
    private final Workload workload;
    private final PrintStream out;
    private final Findings findings;

    /**
     * Prepares the trainings without starting any.
     *
     * @param rounds number of rounds of each job
     */
    public JobAfterJob(int jobs, int rounds, PrintStream out) {
        this.jobs = jobs;
        this.workload = new Workload(20, rounds);
        this.out = out;
        this.findings = new Findings(out);
    }

    /**
     * Runs the trainings.
     *
     * @param directory directory for the files of all processes
     * @return the violations; empty if there are none
     */
    public List<String> hold(Path directory) throws IOException, InterruptedException {
        MemoryBounds memory = new MemoryBounds(findings);
        try (LocalCluster cluster =
                LocalCluster.start(
                        new LocalCluster.Options(
                                directory.resolve("cluster"),
                                LeveeHome.find().clusterClassPath(),
                                TASK_MANAGERS,
                                SLOTS,
                                0,
                                TASK_HEAP,
                                true,
                                Map.of()))) {
            memory.watch(cluster);
            out.println("after jobs    resident MiB, the most of each kind of process");
            String digest = null;
            for (int job = 1; job <= jobs && findings.broken().isEmpty(); job++) {
                String own = train(cluster, directory.resolve("job-" + job));
                digest = digest == null ? own : digest;
                if (!own.equals(digest)) {
                    findings.broken("job " + job + " has other bits than the first");
                }
                memory.look();
                if (job % Math.max(1, jobs / LOOKS) == 0) {
                    print(job, memory.now());
                }
            }
        }
        return findings.broken();
    }

    private String train(LocalCluster cluster, Path output)
            throws IOException, InterruptedException {
        List<String> main = new ArrayList<>(List.of("train"));
        main.addAll(workload.options());
        main.addAll(List.of("--attack=none", "--parallelism=2"));
        main.add("--target=" + cluster.restUrl());
        main.add("--output=" + output);
        Path said = output.resolveSibling(output.getFileName() + ".out");
        try (Child client = Child.levee(said, TASK_HEAP, main)) {
            if (!client.await(PATIENCE) || client.status() != 0) {
                throw new IOException(output + " does not end: " + client.lastWord());
            }
        }
        return Workload.digest(output);
    }

    private void print(int job, Map<MemoryBounds.Role, Integer> now) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%10d  ", job));
        now.forEach((role, mebibytes) -> line.append("  %s %d".formatted(role, mebibytes)));
        out.println(line);
    }
}
