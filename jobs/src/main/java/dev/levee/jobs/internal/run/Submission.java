package dev.levee.jobs.internal.run;

import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Submits the jobs of a plan, one per rule. */
public final class Submission {
    private Submission() {}

    /**
     * Submits one job to the cluster at an address.
     *
     * @param jars what the cluster does not have on its class path
     * @param index which run
     */
    static JobClient to(URI cluster, List<Path> jars, RunPlan plan, int index) throws Exception {
        String[] files = jars.stream().map(Path::toString).toArray(String[]::new);
        return submit(
                StreamExecutionEnvironment.createRemoteEnvironment(
                        cluster.getHost(), cluster.getPort(), plan.flink(index), files),
                plan,
                index);
    }

    /**
     * Submits to the cluster of whoever called this program, such as {@code flink run}, and waits
     * for the jobs' end if the caller does. An elastic job has the caller's parallelism, for that
     * is how the Flink Kubernetes Operator changes its workers.
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
