package dev.levee.jobs.internal.run.cluster;

import dev.levee.jobs.internal.cluster.JobJars;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/**
 * The cluster of a bounded job: its own, or the one at {@code --target}.
 *
 * @param least minimum number of slots of the job, even if fewer are free
 * @param most maximum number of slots of the job, even if more are free
 */
public record JobCluster(Deployment deployment, int least, int most) {
    /** Number of key groups of the job, which limits its slots. */
    public static final int MAX_PARALLELISM = 128;

    /** Creates the cluster of a job that uses all free slots. */
    public JobCluster(Deployment deployment) {
        this(deployment, 1, MAX_PARALLELISM);
    }

    /**
     * Checks that a cluster can be reached.
     *
     * @throws IllegalStateException if no cluster answers; one sentence
     */
    public static void requireAnswer(String target) {
        try {
            new FlinkRest(URI.create(target)).overview();
        } catch (IOException e) {
            throw new IllegalStateException(
                    "--target %s does not answer like a Flink cluster".formatted(target), e);
        }
    }

    /** Starts the cluster, or connects to it. */
    public OpenCluster open() throws Exception {
        return OpenCluster.of(deployment, slots());
    }

    /**
     * Creates an environment that submits jobs to the cluster at an address. If the cluster is
     * another process, jobs include the jars of this program.
     *
     * @throws IOException if the cluster does not answer
     */
    public static StreamExecutionEnvironment environment(
            Deployment deployment, URI address, Configuration flink) throws IOException {
        String[] jars =
                deployment.embedded()
                        ? new String[0]
                        : JobJars.of(address).stream().map(Path::toString).toArray(String[]::new);
        return StreamExecutionEnvironment.createRemoteEnvironment(
                address.getHost(), address.getPort(), flink, jars);
    }

    private int slots() {
        int most = deployment.parallelism(Runtime.getRuntime().availableProcessors());
        return Math.min(most, MAX_PARALLELISM);
    }

    /** The parallelism of a job: the requested one, or the number of free slots. */
    public int parallelism(URI address) throws IOException {
        if (deployment.embedded() || deployment.parallelism() != null) {
            return slots();
        }
        int free = new FlinkRest(address).overview().path("slots-available").asInt();
        return Math.max(least, Math.min(free, most));
    }
}
