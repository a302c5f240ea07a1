package dev.levee.jobs.internal.estimate;

import dev.levee.estimation.Specification;
import dev.levee.estimation.flink.EffectSource;
import dev.levee.estimation.flink.EstimationJob;
import dev.levee.estimation.flink.EstimationPlan;
import dev.levee.estimation.learner.LearnerSpec;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.EstimateConfig;
import dev.levee.jobs.internal.config.FlinkDefaults;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.estimate.CostModel;
import dev.levee.jobs.internal.report.estimate.EstimateArtifacts;
import dev.levee.jobs.internal.report.summary.Provenance;
import dev.levee.jobs.internal.run.Checkpoints;
import dev.levee.jobs.internal.run.GitState;
import dev.levee.jobs.internal.run.cluster.JobCluster;
import dev.levee.k8s.flink.ElasticRequest;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/**
 * The job of an estimate, ready for submission.
 *
 * @param cluster the cluster that will run it
 * @param plan the plan of the estimate
 * @param directory absolute URI of the output folder
 */
record EstimateSubmission(
        EstimateConfig config,
        Deployment deployment,
        EstimateCluster cluster,
        EstimationPlan plan,
        String directory) {
    private static final int RESTARTS = 10;

    /** Returns the submission with its results and data in other places. */
    EstimateSubmission in(String folder, EffectSource data) {
        return new EstimateSubmission(config, deployment, cluster, plan.in(data), folder);
    }

    /**
     * Returns the id of the estimate's state. It depends on data, columns, settings and versions of
     * learners.
     */
    String id() {
        // The location of rows is left out, because it does not change the estimate.
        List<Object> parts =
                new ArrayList<>(
                        List.of(
                                config.columns(),
                                plan.specification(),
                                plan.size(),
                                plan.checksum()));
        List<Integer> versions =
                plan.specification().learners().values().stream()
                        .map(LearnerSpec::version)
                        .toList();
        // Versions are left out if all are 1, because ids of earlier versions of Levee lack them.
        if (versions.stream().anyMatch(each -> each > 1)) {
            parts.add(versions);
        }
        CRC32C sum = new CRC32C();
        sum.update(parts.toString().getBytes(StandardCharsets.UTF_8));
        return "%s-%08x"
                .formatted(
                        plan.specification().model().name().toLowerCase(Locale.ROOT),
                        sum.getValue());
    }

    /** The checkpoint to continue from, if the user asked for it. */
    Optional<String> resumed() throws IOException {
        if (deployment.resume() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    Checkpoints.findSound(
                            deployment.resume(),
                            id(),
                            List.of(),
                            Checkpoints.isOne(deployment.resume())));
        } catch (Checkpoints.NoCheckpointException e) {
            throw new IllegalArgumentException(
                    "--resume %s has no completed checkpoint of this estimate: use the same data, options and version of Levee, or start over without --resume"
                            .formatted(deployment.resume()),
                    e);
        }
    }

    /** The options that identify the results. */
    LinkedHashMap<String, Object> configuration() {
        LinkedHashMap<String, Object> written =
                new LinkedHashMap<>(EstimateConfig.SETTINGS.write(config));
        written.values().removeIf(each -> each instanceof List<?> list && list.isEmpty());
        return written;
    }

    /** Describes the estimate in a line. */
    String description() {
        Specification how = plan.specification();
        return String.format(
                Locale.ROOT,
                "Estimating the effect of %s on %s: %s, score %s, %,d observations. %d folds × %d"
                        + " repetition%s × %d nuisance functions%s%s: %,d fits, by %s.",
                String.join(", ", plan.treatments()),
                config.outcome(),
                how.model().name().toLowerCase(Locale.ROOT),
                how.score().label(),
                plan.observations(),
                how.folds(),
                how.repetitions(),
                how.repetitions() == 1 ? "" : "s",
                plan.functions().size(),
                plan.treatments().size() > 1
                        ? " × " + plan.treatments().size() + " treatments"
                        : "",
                config.columns().clusters().size() == 2 ? " over pairs of cluster groups" : "",
                plan.fits(),
                how.learners().values().stream()
                        .map(LearnerSpec::text)
                        .distinct()
                        .collect(Collectors.joining(", ")));
    }

    /** Submits the job to a cluster. */
    JobClient submit(URI address) throws Exception {
        int parallelism = cluster.jobs().parallelism(address);
        Optional<ElasticRequest> elastic = cluster.request(parallelism);
        Configuration flink = flink();
        elastic.ifPresent(
                each -> flink.set(PipelineOptions.GLOBAL_JOB_PARAMETERS, each.configuration()));
        StreamExecutionEnvironment environment = JobCluster.environment(deployment, address, flink);
        environment.setParallelism(parallelism);
        EstimationJob.add(
                environment,
                plan,
                id(),
                new EstimateArtifacts(
                        Provenance.submitted(
                                Clock.systemUTC(), GitState.of(Path.of("")).orElse(null)),
                        configuration(),
                        directory,
                        new CostModel(config.taskGigabytes(), config.gbSecondPrice())));
        return environment.executeAsync(
                "Levee: effect of %s on %s%s"
                        .formatted(
                                String.join(", ", plan.treatments()),
                                config.outcome(),
                                // For a job that waits for slots, Flink shows nothing else.
                                elastic.map(ElasticRequest::nameSuffix).orElse("")));
    }

    private Configuration flink() throws IOException {
        Configuration flink =
                FlinkDefaults.of(
                        JobCluster.MAX_PARALLELISM,
                        deployment.checkpointInterval(),
                        checkpoints() + "/" + id(),
                        RESTARTS);
        resumed().ifPresent(path -> flink.set(StateRecoveryOptions.SAVEPOINT_PATH, path));
        return flink;
    }

    /** The directory of this invocation's checkpoints. */
    String checkpoints() {
        return deployment.checkpointDir() != null
                ? OutputLayout.absolute(deployment.checkpointDir())
                : directory + "/checkpoints";
    }
}
