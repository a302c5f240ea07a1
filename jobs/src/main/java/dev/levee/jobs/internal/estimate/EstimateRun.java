package dev.levee.jobs.internal.estimate;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.estimation.EffectData;
import dev.levee.estimation.Specification;
import dev.levee.estimation.fitting.DataCheck;
import dev.levee.estimation.flink.EffectColumns;
import dev.levee.estimation.flink.EstimationPlan;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.EstimateConfig;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.Tracking;
import dev.levee.jobs.internal.report.estimate.EstimateFiles;
import dev.levee.jobs.internal.run.LeftFolder;
import dev.levee.jobs.internal.run.OneJob;
import dev.levee.jobs.internal.run.RunHints;
import dev.levee.jobs.internal.run.SubmittedJobs;
import dev.levee.jobs.internal.run.cluster.OpenCluster;
import dev.levee.jobs.internal.run.follow.Logs;
import dev.levee.jobs.internal.run.follow.ShutdownHook;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** One invocation of {@code levee estimate}, from its checks to its results. */
public final class EstimateRun {
    private final EstimateSubmission submission;
    private final EstimateInput input;
    private final List<String> arguments;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final SubmittedJobs jobs = new SubmittedJobs();
    private volatile URI address;

    private EstimateRun(
            EstimateSubmission submission, EstimateInput input, List<String> arguments) {
        this.submission = submission;
        this.input = input;
        this.arguments = List.copyOf(arguments);
    }

    /**
     * Reads and checks everything that can be checked before anything starts.
     *
     * @param overwrite true if existing results may be replaced
     * @param arguments the arguments that the user typed, for the hint on how to resume
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public static EstimateRun of(
            EstimateConfig config, Deployment deployment, boolean overwrite, List<String> arguments)
            throws IOException {
        deployment.check();
        EffectColumns asked = config.columns();
        if (config.foldColumn().isEmpty()) {
            config.specification(0); // reports wrong options before reading data
        }
        config.taskGigabytes();
        EstimateCluster cluster = new EstimateCluster(deployment, config.slots());
        cluster.check();
        EstimateInput input = EstimateInput.read(asked, deployment.target());
        EffectData data = input.data();
        int given = data.given().stream().mapToInt(EffectData.Codes::count).max().orElse(0);
        Specification specification = config.specification(given);
        String output =
                OutputLayout.chosen(
                        deployment.output(),
                        Clock.systemDefaultZone(),
                        specification.model().name().toLowerCase(Locale.ROOT));
        String directory = OutputLayout.absolute(output);
        EstimationPlan plan =
                EstimationPlan.of(input.columns(), data, specification, config.size(specification));
        EstimateSubmission submission =
                new EstimateSubmission(config, deployment, cluster, plan, directory);
        submission.resumed();
        if (deployment.output() == null) {
            directory = OutputLayout.reserve(directory);
        } else {
            boolean goesOn = deployment.resume() != null;
            LeftFolder.requireEnded(output, directory, overwrite, goesOn);
            if (!overwrite) {
                EstimateFiles.check(output, directory, submission.configuration(), goesOn);
            }
        }
        EstimateInput placed = input.in(directory);
        return new EstimateRun(submission.in(directory, placed.columns()), placed, arguments);
    }

    /**
     * Runs the estimate.
     *
     * @param detached true to return as soon as the job is submitted
     * @return the summary after all results are written; empty if detached
     * @throws Exception if the job failed; its cause is in the message
     */
    public Optional<JsonNode> run(Terminal terminal, boolean detached) throws Exception {
        String directory = submission.directory();
        Logs.in(directory, terminal);
        terminal.say(submission.description());
        List<String> constant = DataCheck.constantCovariates(input.data());
        if (!constant.isEmpty()) {
            terminal.say("Constant, so they explain nothing: " + String.join(", ", constant));
        }
        SubmittedEstimate submitted;
        try (ShutdownHook interrupted =
                        new ShutdownHook(
                                () ->
                                        OneJob.interrupted(
                                                jobs,
                                                submission.deployment(),
                                                terminal,
                                                () -> submitted(terminal)));
                OpenCluster open = submission.cluster().jobs().open()) {
            address = open.address();
            terminal.say(open.webUi(!detached));
            EstimateFiles.forget(directory);
            input.write(directory);
            jobs.submit(() -> submission.submit(address));
            submitted = submitted(terminal);
            submitted.save();
            if (detached) {
                terminal.result(RunHints.comeBack(directory));
                return Optional.empty();
            }
            submitted.follow(new FlinkRest(address), jobs.all().get(0));
        }
        return Optional.of(submitted.conclude());
    }

    private SubmittedEstimate submitted(Terminal terminal) {
        RunRecord record =
                new RunRecord(
                        arguments,
                        started.toString(),
                        String.valueOf(address),
                        submission.deployment().embedded(),
                        submission.plan().specification().repetitions(),
                        submission.plan().fits(),
                        null,
                        submission.checkpoints(),
                        submission.deployment().checkpointDir() == null,
                        false,
                        Tracking.NONE,
                        null,
                        Map.of(),
                        null,
                        null,
                        List.of(new RunRecord.Job(submission.id(), jobs.first(), null, null)));
        return new SubmittedEstimate(submission.directory(), record, terminal);
    }

    /** All options with their values, as in a file. */
    public static Map<String, Object> resolved(EstimateConfig config, Deployment deployment) {
        deployment.check();
        config.columns();
        config.specification(0);
        new EstimateCluster(deployment, config.slots()).check();
        Map<String, Object> values = new LinkedHashMap<>(EstimateConfig.SETTINGS.write(config));
        values.putAll(Deployment.ESTIMATE.write(deployment));
        return values;
    }
}
