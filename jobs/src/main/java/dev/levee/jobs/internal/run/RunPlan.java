package dev.levee.jobs.internal.run;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.jobs.internal.audit.AuditKey;
import dev.levee.jobs.internal.audit.AuditLog;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.FlinkDefaults;
import dev.levee.jobs.internal.config.Resolver;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.RunData;
import dev.levee.jobs.internal.report.ArtifactSink;
import dev.levee.jobs.internal.report.OutputFolder;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.summary.Provenance;
import dev.levee.jobs.internal.run.place.WorkerPlace;
import dev.levee.jobs.internal.run.place.WorkersInJob;
import dev.levee.jobs.internal.run.place.WorkersOutside;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.flink.ElasticRequest;
import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Loss;
import dev.levee.learners.MicroBatchModel;
import dev.levee.operators.flink.TrainingJob;
import dev.levee.operators.rounds.plan.BatchScaling;
import dev.levee.operators.rounds.plan.Elasticity;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of an invocation that does not depend on where its jobs run: one training for each rule,
 * and the places of results and checkpoints.
 *
 * @param config the settings of the training
 * @param deployment the settings of the cluster and of results
 * @param trainings one for each rule
 * @param layout the places of results
 * @param workers where the workers run
 * @param audit keys that sign the logs of rounds; null if there are none
 */
public record RunPlan(
        RunConfig config,
        Deployment deployment,
        List<Training> trainings,
        OutputLayout layout,
        WorkerPlace workers,
        AuditKey audit) {

    /**
     * Checks a configuration and opens its data. Workers are in the job.
     *
     * @param processors number of processors of this machine; an embedded cluster uses them all
     * @param clock clock for the name of a default output directory
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public static RunPlan of(RunConfig config, Deployment deployment, int processors, Clock clock) {
        Resolver.check(config);
        deployment.check();
        if (deployment.control() != null && config.elastic() == null) {
            throw new IllegalArgumentException("--control is for runs with --elastic");
        }
        if (deployment.control() != null && config.aggregator().size() > 1) {
            throw new IllegalArgumentException(
                    "--control is the file of one run, got %s rules with --aggregator"
                            .formatted(config.aggregator().size()));
        }
        if (deployment.audit() != null && config.replica() != null) {
            throw new IllegalArgumentException(
                    "--replica continues without the rounds that were lost, which --audit needs");
        }
        Deployment placed =
                config.elastic() != null
                        ? elastic(config, deployment)
                        : deployment.within(Math.min(processors, TrainingJob.MAX_PARALLELISM));
        List<Training> trainings =
                Resolver.trainings(
                        config,
                        placed.computeThreads(1),
                        LeftFolder.lastLayers(config, deployment));
        List<String> rules = trainings.stream().map(each -> each.rule().name()).toList();
        String name = OutputLayout.directoryName(rules.get(0));
        String output = OutputLayout.chosen(deployment.output(), clock, name);
        OutputLayout layout = OutputLayout.of(output, rules);
        return new RunPlan(
                config, placed, trainings, layout, new WorkersInJob(), key(deployment, layout));
    }

    /**
     * The keys that sign the logs of rounds, null if there are none.
     *
     * @throws IllegalArgumentException if they cannot be written or signed; one sentence
     */
    static AuditKey key(Deployment deployment, OutputLayout layout) {
        if (deployment.audit() != null && ShellWords.local(layout.root()).isEmpty()) {
            throw new IllegalArgumentException(
                    "--audit appends to a file, so --output must be a local or mounted directory,"
                            + " got "
                            + deployment.output());
        }
        return AuditKey.of(deployment.audit());
    }

    /**
     * Sets the parallelism of an elastic run, which has a worker in each subtask from its start.
     */
    private static Deployment elastic(RunConfig config, Deployment deployment) {
        Integer parallelism = deployment.parallelism();
        if (parallelism != null && parallelism != config.workers()) {
            throw new IllegalArgumentException(
                    "--parallelism of an elastic run is its number of workers, which is %d, got %d"
                            .formatted(config.workers(), parallelism));
        }
        return deployment.on(config.workers());
    }

    /** Returns the plan with workers in another place. */
    public RunPlan with(WorkerPlace elsewhere) {
        return new RunPlan(config, deployment, trainings, layout, elsewhere, audit);
    }

    /** Returns the plan with parallelism and threads for this many slots, unless they are set. */
    RunPlan on(int parallelism) {
        return new RunPlan(config, deployment.on(parallelism), trainings, layout, workers, audit);
    }

    /**
     * Checks that the run can be executed where it is deployed: an embedded cluster needs the
     * model's native libraries, and an elastic run needs a cluster that an allocator can change.
     *
     * @throws IllegalArgumentException if an elastic run would have its own cluster; one sentence
     */
    public void checkReach() {
        if (deployment.embedded()) {
            trainings.forEach(training -> training.model().requireNatives());
        }
        if (config.elastic() != null) {
            deployment.checkElastic();
        }
    }

    /**
     * Checks the data of workers inside the job.
     *
     * @throws IllegalArgumentException if something is missing; one sentence
     */
    public void checkData() {
        if (!workers.survives()) { // outside workers have their own data
            RunData.check(trainings.get(0));
        }
    }

    /**
     * Checks that the data that must be in memory at the same time fit.
     *
     * @throws IllegalArgumentException if they do not; one sentence
     */
    public void checkMemory() throws IOException {
        memory().check(this, MemoryNeed.available(this));
        if (deployment.embedded() || workers instanceof WorkersOutside) {
            return;
        }
        TaskManagerNeed.Available available =
                TaskManagerNeed.available(URI.create(deployment.target()));
        for (int index : pending()) {
            int slots = deployment.parallelism(available.free());
            TaskManagerNeed.of(trainings.get(index), slots, available.each()).check(available);
        }
    }

    /** The minimum memory of the pending runs. */
    MemoryNeed memory() throws IOException {
        return MemoryNeed.of(this, pending());
    }

    /**
     * Checks that each pending run that was submitted has a checkpoint to resume from.
     *
     * @throws IllegalArgumentException if one has none of its own that is intact; one sentence
     */
    public void checkResume() throws IOException {
        if (deployment.resume() != null) {
            LeftFolder.requireSameModel(this);
            for (int index : pending()) {
                sound(index);
            }
        }
    }

    private Optional<String> sound(int index) throws IOException {
        return LeftFolder.checkpoint(this, index);
    }

    /**
     * Checks that results will not replace those of others.
     *
     * @param overwrite true if they may, but not those of a run that has not ended
     * @throws IllegalArgumentException if they would; one sentence
     */
    public void checkOutput(boolean overwrite) throws IOException {
        String given = deployment.output() == null ? layout.root() : deployment.output();
        List<Map<String, Object>> configurations = new ArrayList<>();
        for (int index = 0; index < trainings.size(); index++) {
            configurations.add(configurationOf(index));
        }
        boolean goesOn = deployment.resume() != null || workers.survives();
        LeftFolder.requireEnded(given, layout.root(), overwrite, goesOn);
        if (!overwrite) {
            new OutputFolder(given, layout).check(configurations, goesOn);
        }
    }

    /** Indexes of the runs to compute: all of them, or when resuming, those that have not ended. */
    List<Integer> pending() throws IOException {
        List<Integer> pending = new ArrayList<>();
        for (int index = 0; index < trainings.size(); index++) {
            LinkedHashMap<String, Object> configuration = configurationOf(index);
            boolean done =
                    deployment.resume() != null
                            && new RunFiles(layout.directory(index))
                                    .read()
                                    .filter(run -> run.isOf(configuration))
                                    .isPresent();
            if (!done) {
                pending.add(index);
            }
        }
        return pending;
    }

    /** The configuration of run {@code index} as its summary shows it, with only its own rule. */
    public LinkedHashMap<String, Object> configurationOf(int index) {
        return new LinkedHashMap<>(workers.describe(config, index));
    }

    /** The name of run {@code index} among the runs of this plan. */
    String name(int index) {
        return workers.name(trainings.get(index));
    }

    /** The name of the job of run {@code index}. */
    public String jobName(int index) {
        Training training = trainings.get(index);
        return "Levee: %s on %s, %s workers, %s"
                        .formatted(
                                name(index),
                                training.model().name(),
                                training.workers(),
                                workers.of(training))
                // For a job that waits for slots, Flink shows nothing else.
                + request(training).map(ElasticRequest::nameSuffix).orElse("");
    }

    /**
     * The training loss of a model that gives all classes the same probability; null if samples
     * have targets, the loss is another, or only workers know the data.
     */
    Double guessingLoss(int index) {
        Training training = trainings.get(index);
        Object loss = configurationOf(index).get("loss");
        if (training.model() instanceof GenerativeModel
                || config.initial() != null
                || loss != null && !loss.equals(Loss.DEFAULT.name())) {
            return null;
        }
        Dataset data = Datasets.open(training.data().uri(), Datasets.Split.TRAIN);
        return data.targets() > 0 ? null : (Double) Math.log(data.classes());
    }

    /** Adds run {@code index} to a job. */
    void build(StreamExecutionEnvironment environment, int index) {
        workers.build(
                environment,
                training(index),
                new ArtifactSink(
                        provenance(),
                        configurationOf(index),
                        guessingLoss(index),
                        layout,
                        index,
                        audit));
    }

    /**
     * A sentence about the log of rounds of run {@code index} and its key; empty if there is none.
     */
    Optional<String> auditWords(int index) throws IOException {
        return audit == null
                ? Optional.empty()
                : Optional.of(AuditLog.words(OutputLayout.uri(layout.directory(index)), audit));
    }

    private static Provenance provenance() {
        String git = GitState.of(Path.of("")).orElse(null);
        return Provenance.submitted(Clock.systemUTC(), git);
    }

    private Training training(int index) {
        Training training = trainings.get(index);
        if (audit != null) {
            training = new TrainingBuilder(training).audited(true).build();
        }
        Plan told = training.plan().controlledBy(control(index));
        return new TrainingBuilder(training).plan(told).build();
    }

    private String control(int index) {
        return deployment.control() != null
                ? OutputLayout.absolute(deployment.control())
                : new RunFiles(layout.directory(index)).control();
    }

    /** Configuration entries that Flink shows with the job, for an allocator. */
    private Map<String, String> shown(int index) {
        Training training = training(index);
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("levee.run", training.runId());
        request(training)
                .ifPresent(
                        request -> {
                            shown.putAll(request.configuration());
                            shown.put(ElasticRequest.CONTROL, training.plan().control());
                        });
        return shown;
    }

    /** The request of the only run to an allocator, as configuration entries of its job. */
    Map<String, String> request() {
        return request(trainings.get(0)).orElseThrow().configuration();
    }

    /** The request of an elastic run; empty for other runs. */
    private static Optional<ElasticRequest> request(Training training) {
        if (!(training.plan() instanceof Elasticity bounds)) {
            return Optional.empty();
        }
        JobBounds limits =
                new JobBounds(
                        bounds.minWorkers(),
                        bounds.maxWorkers(),
                        training.workers(),
                        training.data().batchSize(),
                        bounds.maxBatch(),
                        bounds.learningRate());
        return Optional.of(
                new ElasticRequest(
                        limits,
                        bounds.scaling() == BatchScaling.ADASCALE,
                        training.model() instanceof MicroBatchModel passes ? passes.most() : 0));
    }

    /** Describes the runs in a line. */
    String description() {
        return workers.description(config, trainings);
    }

    /** The directory of all checkpoints of this invocation. */
    public String checkpoints() {
        return deployment.checkpointDir() != null
                ? OutputLayout.absolute(deployment.checkpointDir())
                : layout.root() + "/checkpoints";
    }

    /** The Flink configuration for the job of run {@code index}. */
    public Configuration flink(int index) throws IOException {
        Configuration flink =
                FlinkDefaults.of(
                        TrainingJob.MAX_PARALLELISM,
                        deployment.checkpointInterval(),
                        checkpoints() + "/" + layout.name(index),
                        workers.restarts());
        flink.set(PipelineOptions.OBJECT_REUSE, true);
        flink.set(PipelineOptions.GLOBAL_JOB_PARAMETERS, shown(index));
        flink.set(
                RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_RESET_BACKOFF_THRESHOLD,
                Duration.ofMinutes(2));
        if (deployment.resume() != null) {
            sound(index).ifPresent(path -> flink.set(StateRecoveryOptions.SAVEPOINT_PATH, path));
        }
        return flink;
    }
}
