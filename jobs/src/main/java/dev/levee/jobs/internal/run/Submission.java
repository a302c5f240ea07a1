package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.run.cluster.JobCluster;
import dev.levee.jobs.internal.run.cluster.SessionClients;
import dev.levee.k8s.flink.rest.Await;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.PipelineOptionsInternal;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.FlinkException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Submits the jobs of a plan, one for each rule. */
public final class Submission {
    private static final Logger LOG = LoggerFactory.getLogger(Submission.class);
    private static final String CAUSE = "Caused by: ";
    private static final int TRIES = 3;
    private static final Duration CLUSTER_PATIENCE = Duration.ofMinutes(1);

    private Submission() {}

    /**
     * Submits one job to the cluster at an address. A JobManager that is losing leadership may fail
     * to start the job; the next one may then start it or not know it. So the job has a fixed id,
     * which Flink accepts only once, and it is sent again if the cluster does not know it.
     *
     * @param index index of the run
     * @throws IllegalStateException if the cluster does not accept it; one sentence
     */
    static JobClient to(URI cluster, RunPlan plan, int index) throws Exception {
        JobID id = JobID.generate();
        Configuration configuration = plan.flink(index);
        configuration.set(PipelineOptionsInternal.PIPELINE_FIXED_JOB_ID, id.toHexString());
        FlinkException first = null;
        for (int tries = 1; ; tries++) {
            try {
                return submit(
                        JobCluster.environment(plan.deployment(), cluster, configuration),
                        plan,
                        index);
            } catch (FlinkException e) {
                if (taken(cluster, id)) {
                    return SessionClients.job(cluster, id);
                }
                // Later errors may only say that the jars of the first attempt exist already.
                first = first == null ? e : first;
                if (tries == TRIES) {
                    throw new IllegalStateException(
                            "the cluster at %s does not accept the job: %s"
                                    .formatted(cluster, reason(first)),
                            first);
                }
                LOG.warn("the cluster did not accept the job; trying again", e);
            }
        }
    }

    /** Waits up to a minute for the cluster to answer, and returns true if it has the job. */
    private static boolean taken(URI cluster, JobID id) {
        FlinkRest rest = new FlinkRest(cluster);
        boolean[] known = new boolean[1];
        Await.until(
                CLUSTER_PATIENCE,
                () -> {
                    rest.overview();
                    known[0] = rest.knows(id.toHexString());
                    return true;
                });
        return known[0];
    }

    /** The message of the last cause in a stack trace that the cluster returned. */
    private static String reason(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        List<String> lines = String.valueOf(root.getMessage()).lines().map(String::strip).toList();
        return lines.stream()
                .filter(line -> line.startsWith(CAUSE))
                .reduce((first, last) -> last)
                .map(line -> line.substring(CAUSE.length()))
                .orElse(lines.get(0));
    }

    /**
     * Submits to the cluster of the calling program, such as {@code flink run}, and waits for the
     * jobs' end if the caller does. An elastic job has the caller's parallelism, because the Flink
     * Kubernetes Operator changes its workers that way.
     */
    public static void toCaller(RunPlan plan) throws Exception {
        List<JobClient> attached = new ArrayList<>();
        for (int index = 0; index < plan.trainings().size(); index++) {
            StreamExecutionEnvironment environment =
                    StreamExecutionEnvironment.getExecutionEnvironment();
            environment.configure(plan.flink(index));
            JobClient job =
                    plan.config().elastic() != null
                            ? execute(environment, plan, index)
                            : submit(environment, plan, index);
            if (environment.getConfiguration().get(DeploymentOptions.ATTACHED)) {
                attached.add(job);
            }
        }
        for (JobClient job : attached) {
            job.getJobExecutionResult().get();
        }
    }

    private static JobClient submit(StreamExecutionEnvironment environment, RunPlan plan, int index)
            throws Exception {
        if (plan.deployment().parallelism() != null) {
            environment.setParallelism(plan.deployment().parallelism());
        }
        return execute(environment, plan, index);
    }

    private static JobClient execute(
            StreamExecutionEnvironment environment, RunPlan plan, int index) throws Exception {
        plan.build(environment, index);
        return environment.executeAsync(plan.jobName(index));
    }
}
