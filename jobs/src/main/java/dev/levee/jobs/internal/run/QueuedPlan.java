package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.cluster.JobJars;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.k8s.flink.queue.QueueState.Phase;
import dev.levee.k8s.flink.queue.QueuedRun;
import dev.levee.k8s.flink.queue.RunQueue;

import org.apache.flink.api.common.JobID;
import org.apache.flink.client.deployment.executors.PipelineExecutorUtils;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A plan in a queue: its compiled job and its jars. So errors are reported to the user who queues
 * it, and later builds of Levee do not change what runs.
 */
public final class QueuedPlan {
    private static final String GRAPH = "job.graph";
    private static final String JARS = "jars";

    private QueuedPlan() {}

    /**
     * Checks that an allocator will take a plan.
     *
     * @throws IllegalArgumentException if no allocator will take it; one sentence
     */
    public static void check(RunPlan plan, RunQueue queue, boolean detached) throws IOException {
        String target = plan.deployment().target();
        if (target == null || plan.config().elastic() == null) {
            throw new IllegalArgumentException(
                    "--queue is for a run with --elastic and --target, because an allocator shares"
                            + " the cluster among such runs");
        }
        if (detached) {
            throw new IllegalArgumentException("--queue returns at once: leave --detach out");
        }
        if (plan.trainings().size() > 1) {
            throw new IllegalArgumentException(
                    "--queue takes one run, got %d rules with --aggregator"
                            .formatted(plan.trainings().size()));
        }
        Optional<String> served = queue.served();
        if (served.isEmpty()) {
            throw new IllegalArgumentException(
                    "--queue: no allocator serves the queue %s; start one with levee allocate --target %s"
                            .formatted(queue.folder(), target));
        }
        if (!same(served.get(), target)) {
            throw new IllegalArgumentException(
                    "--queue: the allocator of the queue %s shares %s, not %s"
                            .formatted(queue.folder(), served.get(), target));
        }
        String output = plan.layout().directory(0);
        for (RunQueue.Entry each : queue.entries(damaged -> {})) {
            if (each.run().output().equals(output) && each.state().phase() != Phase.ENDED) {
                throw new IllegalArgumentException(
                        "--queue: another run in the queue writes to --output %s; choose another folder, or end that run with levee cancel"
                                .formatted(ShellWords.shown(output)));
            }
        }
    }

    private static boolean same(String one, String other) {
        return one.replaceFirst("/$", "").equals(other.replaceFirst("/$", ""));
    }

    /** Writes the files with which an allocator starts the only run of a plan. */
    static void prepare(RunQueue queue, String id, RunPlan plan) throws Exception {
        Path folder = queue.prepare(id);
        Path jars = Files.createDirectories(folder.resolve(JARS));
        List<Path> needed = LeveeHome.find().jobJars();
        for (int i = 0; i < needed.size(); i++) {
            share(queue, needed.get(i), jars, i);
        }
        try (ObjectOutputStream out =
                new ObjectOutputStream(Files.newOutputStream(folder.resolve(GRAPH)))) {
            out.writeObject(compile(plan, JobID.fromHexString(id)));
        }
    }

    /** Adds a jar to the queue. Queued runs with the same jar share one copy by hard links. */
    private static void share(RunQueue queue, Path jar, Path folder, int index) throws IOException {
        String name = index + "-" + JobJars.sha256(jar) + "-" + jar.getFileName();
        for (RunQueue.Entry each : queue.entries(damaged -> {})) {
            try {
                Files.createLink(folder.resolve(name), each.folder().resolve(JARS).resolve(name));
                return;
            } catch (IOException | UnsupportedOperationException e) {
                continue; // no such jar, just removed, or hard links are not supported
            }
        }
        Files.copy(jar, folder.resolve(name));
    }

    private static JobGraph compile(RunPlan plan, JobID id) throws Exception {
        URI cluster = URI.create(plan.deployment().target());
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createRemoteEnvironment(
                        cluster.getHost(), cluster.getPort(), plan.flink(0));
        environment.setParallelism(plan.deployment().parallelism());
        plan.build(environment, 0);
        StreamGraph graph = environment.getStreamGraph();
        graph.setJobName(plan.jobName(0));
        return PipelineExecutorUtils.getStreamGraph(graph, plan.flink(0))
                .getJobGraph(QueuedPlan.class.getClassLoader(), id);
    }

    /** Adds the plan to the queue. */
    static void add(RunQueue queue, String id, RunPlan plan, Instant now) throws IOException {
        queue.add(
                new QueuedRun(
                        id,
                        now.toString(),
                        plan.jobName(0),
                        plan.layout().directory(0),
                        plan.checkpoints() + "/" + plan.layout().name(0),
                        plan.request()));
    }

    /**
     * Reads the job of a folder in the queue, as it was compiled when it was queued, for a cluster.
     */
    static JobGraph read(Path folder, URI cluster) throws IOException {
        Optional<String> there = JobJars.at(cluster);
        try (ObjectInputStream in =
                        new ObjectInputStream(Files.newInputStream(folder.resolve(GRAPH)));
                Stream<Path> jars = Files.list(folder.resolve(JARS))) {
            JobGraph graph = (JobGraph) in.readObject();
            jars.filter(jar -> there.isEmpty() || !jar.toString().contains(there.get()))
                    .sorted()
                    .forEach(jar -> graph.addJar(new org.apache.flink.core.fs.Path(jar.toUri())));
            return graph;
        } catch (ClassNotFoundException | ClassCastException e) {
            throw new IOException(
                    folder + " was queued by another version of Levee; queue it again", e);
        }
    }
}
