package dev.levee.jobs.internal.run;

import dev.levee.jobs.cluster.ObjectStores;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.run.cluster.SessionClients;
import dev.levee.k8s.flink.queue.RunLauncher;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.flink.api.common.JobID;
import org.apache.flink.client.deployment.StandaloneClusterId;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobResourceRequirements;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.util.ExceptionUtils;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Starts queued runs on a session cluster. */
public final class QueueLauncher implements RunLauncher {
    private static final long PATIENCE_SECONDS = 60;

    /** Part of the stack trace with which Flink refuses the id of a job that has ended. */
    private static final String HAS_ENDED = "DuplicateJobSubmissionException.ofGloballyTerminated";

    private final URI cluster;

    /**
     * @param cluster REST address of the cluster
     */
    public QueueLauncher(URI cluster) {
        this.cluster = cluster;
    }

    @Override
    public boolean start(
            java.nio.file.Path folder, String job, String restore, int least, int workers)
            throws IOException {
        JobGraph graph = QueuedPlan.read(folder, cluster);
        graph.setJobID(JobID.fromHexString(job));
        if (restore != null) {
            graph.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(restore));
        }
        JobResourceRequirements.writeToExecutionPlan(graph, workers(graph, least, workers));
        try (RestClusterClient<StandaloneClusterId> client = SessionClients.of(cluster)) {
            client.submitJob(graph).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            if (new FlinkRest(cluster).knows(job)) {
                return true;
            }
            if (ExceptionUtils.findThrowableWithMessage(e, HAS_ENDED).isPresent()) {
                return false;
            }
            throw new IOException("could not be submitted: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while it was submitted", e);
        }
    }

    private static JobResourceRequirements workers(JobGraph graph, int least, int most) {
        JobResourceRequirements.Builder wanted = JobResourceRequirements.newBuilder();
        for (JobVertex vertex : graph.getVertices()) {
            int limit = vertex.getMaxParallelism();
            wanted.setParallelismForJobVertex(
                    vertex.getID(), Math.min(least, limit), Math.min(most, limit));
        }
        return wanted.build();
    }

    @Override
    public Optional<String> newest(String folder) throws IOException {
        return Checkpoints.newestWhole(folder);
    }

    @Override
    public boolean finished(String output) throws IOException {
        ObjectStores.files(new Path(output));
        return new RunFiles(output).summary().isPresent();
    }

    @Override
    public void delete(String folder) throws IOException {
        Path path = new Path(folder);
        ObjectStores.files(path).delete(path, true);
    }
}
