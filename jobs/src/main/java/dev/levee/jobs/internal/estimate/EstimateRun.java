package dev.levee.jobs.internal.estimate;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.estimation.DataCheck;
import dev.levee.estimation.EffectData;
import dev.levee.estimation.Specification;
import dev.levee.estimation.flink.EffectColumns;
import dev.levee.estimation.flink.EstimationJob;
import dev.levee.estimation.flink.EstimationPlan;
import dev.levee.estimation.learner.LearnerSpec;
import dev.levee.jobs.internal.cluster.Home;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.EstimateConfig;
import dev.levee.jobs.internal.config.FlinkDefaults;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.estimate.CostModel;
import dev.levee.jobs.internal.report.estimate.EstimateArtifacts;
import dev.levee.jobs.internal.report.estimate.EstimateFiles;
import dev.levee.jobs.internal.report.summary.Provenance;
import dev.levee.jobs.internal.run.Checkpoints;
import dev.levee.jobs.internal.run.GitState;
import dev.levee.jobs.internal.run.ShellWords;
import dev.levee.jobs.internal.run.cluster.EmbeddedCluster;
import dev.levee.jobs.internal.run.cluster.JobCluster;
import dev.levee.jobs.internal.run.follow.JobEnd;
import dev.levee.jobs.internal.run.follow.Logs;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/** One invocation of {@code levee estimate}, from its checks to its results. */
public final class EstimateRun {
    private static final int RESTARTS = 10;

    private final EstimateConfig config;
    private final Deployment deployment;
    private final JobCluster cluster;
    private final EstimateInput input;
    private final EstimationPlan plan;
    private final String directory;
    private final List<String> arguments;
    private volatile URI address;
    private volatile boolean submitted;
    private volatile boolean over;

    private EstimateRun(
            EstimateConfig config,
            Deployment deployment,
            EstimateInput input,
            EstimationPlan plan,
            String directory,
            List<String> arguments) {
        this.config = config;
        this.deployment = deployment;
        this.cluster = new JobCluster(deployment);
        this.input = input;
        this.plan = plan;
        this.directory = directory;
        this.arguments = List.copyOf(arguments);
    }

    /**
     * Reads and checks everything that can be checked before something starts.
     *
     * @param overwrite whether results of others may be replaced
     * @param arguments what the user typed, for the hint on how to go on
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public static EstimateRun of(
            EstimateConfig config, Deployment deployment, boolean overwrite, List<String> arguments)
            throws IOException {
        deployment.check();
        EffectColumns asked = config.columns();
        if (config.foldColumn().isEmpty()) {
            config.specification(0); // what is wrong with options is said before data are read
        }
        config.taskGigabytes();
        EstimateInput input = EstimateInput.read(asked, deployment.target());
        EffectData data = input.data();
        int given = data.given().stream().mapToInt(EffectData.Codes::count).max().orElse(0);
        Specification specification = config.specification(given);
        String output = deployment.output();
        if (output == null) {
            String time =
                    DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")
                            .format(LocalDateTime.now(Clock.systemDefaultZone()));
            output =
                    "levee-runs/"
                            + time
                            + "-"
                            + specification.model().name().toLowerCase(Locale.ROOT);
        }
        EstimateInput placed = input.in(OutputLayout.absolute(output));
        EstimationPlan plan =
                EstimationPlan.of(
                        placed.columns(), data, specification, config.size(specification));
        EstimateRun run =
                new EstimateRun(
                        config, deployment, placed, plan, OutputLayout.absolute(output), arguments);
        run.resumed();
        if (!overwrite) {
            EstimateFiles.check(
                    output, run.directory, run.configuration(), deployment.resume() != null);
        }
        return run;
    }

    /**
     * Checks that the job may be left alone.
     *
     * @throws IllegalArgumentException if its cluster would end with this process; one sentence
     */
    public static void checkDetached(Deployment deployment) {
        if (deployment.embedded()) {
            throw new IllegalArgumentException(
                    "--detach needs a cluster that outlives this command: give --target, such as"
                            + " the one of levee cluster start");
        }
    }

    /** Names the state of one estimate: of these data, columns and settings. */
    private String id() {
        CRC32C sum = new CRC32C();
        sum.update(
                // Where rows lie changes no estimate.
                List.of(config.columns(), plan.specification(), plan.size(), plan.checksum())
                        .toString()
                        .getBytes(StandardCharsets.UTF_8));
        return "%s-%08x"
                .formatted(
                        plan.specification().model().name().toLowerCase(Locale.ROOT),
                        sum.getValue());
    }

    /** What to go on from, if that was asked for. */
    private Optional<String> resumed() throws IOException {
        if (deployment.resume() == null) {
            return Optional.empty();
        }
        String found;
        try {
            found = Checkpoints.findSound(deployment.resume(), id(), false);
        } catch (IllegalArgumentException e) {
            if (e.getMessage().contains("no completed checkpoint")) {
                throw new IllegalArgumentException(
                        "--resume %s has no completed checkpoint of this estimate: go on with the same data and options, or start anew without --resume"
                                .formatted(deployment.resume()),
                        e);
            }
            throw e;
        }
        return Optional.of(found);
    }

    private LinkedHashMap<String, Object> configuration() {
        LinkedHashMap<String, Object> written =
                new LinkedHashMap<>(EstimateConfig.SETTINGS.write(config));
        written.values().removeIf(each -> each instanceof List<?> list && list.isEmpty());
        return written;
    }

    /**
     * Estimates.
     *
     * @param detached whether to return as soon as the job is submitted
     * @return the summary when all is written; empty if nobody waits for it
     * @throws Exception why the job failed
     */
    public Optional<JsonNode> run(Terminal terminal, boolean detached) throws Exception {
        log();
        terminal.say(description());
        List<String> constant = DataCheck.constantCovariates(input.data());
        if (!constant.isEmpty()) {
            terminal.say("Constant, so they explain nothing: " + String.join(", ", constant));
        }
        EstimateFiles.forget(directory);
        Thread interrupted = new Thread(() -> interrupted(terminal), "interrupted");
        Runtime.getRuntime().addShutdownHook(interrupted);
        try (EmbeddedCluster own = cluster.open()) {
            address = own == null ? URI.create(deployment.target()) : cluster.ready(own.address());
            terminal.say("Flink's web UI is at " + address);
            input.write(directory);
            JobClient job = submit();
            submitted = true;
            if (detached) {
                terminal.result(
                        "The job %s runs at %s and writes its results to %s."
                                .formatted(job.getJobID(), address, ShellWords.shown(directory)));
                return Optional.empty();
            }
            follow(terminal, job);
        } finally {
            over = true;
            try {
                Runtime.getRuntime().removeShutdownHook(interrupted);
            } catch (IllegalStateException e) {
                // The process is ending: the hook is what runs now.
                Thread.currentThread().interrupt();
            }
        }
        forgetCheckpoints();
        terminal.say("Report: " + ShellWords.shown(directory) + "/report.html");
        Optional<JsonNode> summary = EstimateFiles.read(directory);
        if (summary.isEmpty()) {
            throw new IllegalStateException("the job has ended without results in " + directory);
        }
        return summary;
    }

    /** What has ended is not gone on with. Others' checkpoints stay where the user put them. */
    private void forgetCheckpoints() throws IOException {
        if (deployment.checkpointDir() == null) {
            org.apache.flink.core.fs.Path own = new org.apache.flink.core.fs.Path(checkpoints());
            own.getFileSystem().delete(own, true);
        }
    }

    private void log() throws Exception {
        Path local =
                directory.startsWith("file:")
                        ? Path.of(URI.create(directory))
                        : Files.createTempDirectory("levee-log-");
        Files.createDirectories(local);
        Logs.to(local.resolve("levee.log"));
    }

    private String description() {
        Specification how = plan.specification();
        return String.format(
                Locale.ROOT,
                "Estimating the effect of %s on %s: %s, score %s, %,d observations. %d folds × %d"
                        + " repetitions × %d nuisance functions%s%s: %,d fits, by %s.",
                String.join(", ", plan.treatments()),
                config.outcome(),
                how.model().name().toLowerCase(Locale.ROOT),
                how.score().label(),
                plan.observations(),
                how.folds(),
                how.repetitions(),
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

    private JobClient submit() throws Exception {
        String[] jars =
                deployment.embedded()
                        ? new String[0]
                        : Home.find().jobJars().stream().map(Path::toString).toArray(String[]::new);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createRemoteEnvironment(
                        address.getHost(), address.getPort(), flink(), jars);
        environment.setParallelism(cluster.parallelism(address));
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
                "Levee: effect of %s on %s"
                        .formatted(String.join(", ", plan.treatments()), config.outcome()));
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

    private String checkpoints() {
        return deployment.checkpointDir() != null
                ? OutputLayout.absolute(deployment.checkpointDir())
                : directory + "/checkpoints";
    }

    private void follow(Terminal terminal, JobClient job) throws Exception {
        FlinkRest rest = new FlinkRest(address);
        EstimateProgress progress =
                new EstimateProgress(
                        rest, job.getJobID().toString(), plan, deployment.resume() != null);
        CompletableFuture<JobExecutionResult> end = JobEnd.of(rest, job);
        while (true) {
            try {
                end.get(progress.pauseMillis(terminal), TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                progress.now().forEach(terminal::say);
                terminal.progress(progress.line());
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw e;
            }
        }
    }

    private void interrupted(Terminal terminal) {
        if (over) {
            return;
        }
        if (!submitted) {
            terminal.say("Interrupted before the job was submitted.");
            return;
        }
        terminal.say(
                deployment.embedded()
                        ? "Interrupted. Go on with: " + again()
                        : "Interrupted; the job goes on at %s and writes its results to %s."
                                .formatted(address, ShellWords.shown(directory)));
    }

    private String again() {
        List<String> words = new ArrayList<>(List.of("./levee"));
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            if (word.equals("--resume") || word.equals("--output")) {
                i++;
            } else if (!word.matches("--(resume|output)=.*|--detach")) {
                words.add(ShellWords.quoted(word));
            }
        }
        String folder = ShellWords.quoted(ShellWords.shown(directory));
        words.addAll(List.of("--output", folder, "--resume", folder));
        return String.join(" ", words);
    }

    /** The options in full, as a file has them. */
    public static Map<String, Object> resolved(EstimateConfig config, Deployment deployment) {
        deployment.check();
        config.columns();
        config.specification(0);
        Map<String, Object> values = new LinkedHashMap<>(EstimateConfig.SETTINGS.write(config));
        values.putAll(Deployment.ESTIMATE.write(deployment));
        return values;
    }
}
