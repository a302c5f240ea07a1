package dev.levee.jobs.internal.study;

import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.config.setting.ConfigFile;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.Tracking;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.study.CellFiles;
import dev.levee.jobs.internal.report.study.StudyResults;
import dev.levee.jobs.internal.run.LeftFolder;
import dev.levee.jobs.internal.run.OneJob;
import dev.levee.jobs.internal.run.RunHints;
import dev.levee.jobs.internal.run.SubmittedJobs;
import dev.levee.jobs.internal.run.cluster.JobCluster;
import dev.levee.jobs.internal.run.cluster.OpenCluster;
import dev.levee.jobs.internal.run.follow.Logs;
import dev.levee.jobs.internal.run.follow.ShutdownHook;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.operators.tasks.TaskSource;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One invocation of {@code levee study}, from its checks to its results. */
public final class StudyRun {
    private static final int RESTARTS = 10;

    private final String grid;
    private final Deployment deployment;
    private final StudyPlan plan;
    private final String directory;
    private final CellFiles files;
    private final List<Cell> pending;
    private final JobCluster cluster;
    private final List<String> arguments;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final SubmittedJobs jobs = new SubmittedJobs();
    private volatile URI address;

    private StudyRun(
            String grid,
            Deployment deployment,
            StudyPlan plan,
            String directory,
            CellFiles files,
            List<String> arguments)
            throws IOException {
        this.grid = grid;
        this.arguments = List.copyOf(arguments);
        this.deployment = deployment;
        this.plan = plan;
        this.directory = directory;
        this.files = files;
        this.pending = plan.pending(files);
        int processors = Runtime.getRuntime().availableProcessors();
        int most = Math.max(1, Math.min(processors, pending.size()));
        this.cluster = new JobCluster(deployment.within(most));
    }

    /**
     * Reads and checks everything that can be checked before anything starts.
     *
     * @param file the file of the study
     * @param overwrite true if the folder may hold other files
     * @param dryRun true if nothing will run, so that no folder is created
     * @param arguments the arguments that the user typed, for the hint on how to resume
     * @throws IllegalArgumentException if something is wrong; one sentence
     */
    public static StudyRun of(
            Path file,
            Deployment deployment,
            boolean overwrite,
            boolean dryRun,
            List<String> arguments)
            throws IOException {
        deployment.check();
        String grid = ConfigFile.text(file, file.toString()); // once, because it may be a pipe
        StudyPlan plan = StudyPlan.of(Study.read(grid, file));
        String output =
                OutputLayout.chosen(deployment.output(), Clock.systemDefaultZone(), "study");
        String directory = OutputLayout.absolute(output);
        if (!dryRun && deployment.output() == null) {
            directory = OutputLayout.reserve(directory);
        } else if (!dryRun) {
            LeftFolder.requireEnded(output, directory, overwrite, false);
        }
        CellFiles files = new CellFiles(directory);
        if (!overwrite) {
            files.check(output);
        }
        return new StudyRun(grid, deployment, plan, directory, files, arguments);
    }

    /** Describes the cells and estimates their time. */
    public String forecast() throws InterruptedException {
        StringBuilder text = new StringBuilder(description());
        if (!pending.isEmpty()) {
            int processors = Runtime.getRuntime().availableProcessors();
            CellTime time = new CellTime(pending, Math.min(slots(), processors));
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%nAbout %s with %d at a time, once the job has started. %s",
                            duration(time.seconds(pending, slots())),
                            slots(),
                            time.basis()));
        }
        return text.toString();
    }

    private int slots() {
        int most = deployment.parallelism(Runtime.getRuntime().availableProcessors());
        return Math.max(1, Math.min(most, pending.size()));
    }

    private String description() {
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "%,d cells: %s.",
                        plan.cells().size(),
                        String.join(
                                " × ",
                                plan.study().axes().stream()
                                        .map(
                                                axis ->
                                                        plan.study().values().get(axis).size()
                                                                + " "
                                                                + axis)
                                        .toList())));
        Map<String, Integer> reasons = new LinkedHashMap<>();
        Set<String> open = new HashSet<>();
        pending.forEach(cell -> open.add(cell.id()));
        int done = 0;
        for (Cell cell : plan.cells()) {
            String reason = plan.refused().get(cell.id());
            if (reason != null) {
                reasons.merge(reason, 1, Integer::sum);
            } else if (!open.contains(cell.id())) {
                done++;
            }
        }
        reasons.forEach(
                (reason, count) ->
                        text.append(
                                String.format(
                                        Locale.ROOT,
                                        "%n%,d %s: %s",
                                        count,
                                        count == 1 ? "cell fails" : "cells fail",
                                        reason)));
        if (done > 0) {
            text.append(String.format(Locale.ROOT, "%n%,d cells are done already.", done));
        }
        return text.toString();
    }

    /**
     * Runs the pending cells, and writes the results.
     *
     * @param detached true to return as soon as the job is submitted
     * @return the results after all are written; empty if detached
     * @throws Exception if the job failed
     */
    public Optional<StudyResults> run(Terminal terminal, boolean detached) throws Exception {
        Logs.in(directory, terminal);
        terminal.say(description());
        files.writeGrid(grid, plan.refused());
        if (!pending.isEmpty()) {
            compute(terminal, detached);
        }
        if (detached && !pending.isEmpty()) {
            terminal.result(RunHints.comeBack(directory));
            return Optional.empty();
        }
        return Optional.of(submitted(terminal).conclude());
    }

    private void compute(Terminal terminal, boolean detached) throws Exception {
        try (ShutdownHook interrupted =
                        new ShutdownHook(
                                () ->
                                        OneJob.interrupted(
                                                jobs,
                                                deployment,
                                                terminal,
                                                () -> submitted(terminal)));
                OpenCluster open = cluster.open()) {
            address = open.address();
            terminal.say(open.webUi(false));
            for (Cell cell : pending) {
                files.forget(cell.id()); // a failed cell runs again
            }
            int slots = Math.min(cluster.parallelism(address), pending.size());
            jobs.submit(() -> submit(slots));
            SubmittedStudy submitted = submitted(terminal);
            submitted.save();
            if (!detached) {
                submitted.follow(new FlinkRest(address), jobs.all().get(0));
            }
        }
    }

    private SubmittedStudy submitted(Terminal terminal) {
        RunRecord record =
                new RunRecord(
                        arguments,
                        started.toString(),
                        String.valueOf(address),
                        deployment.embedded(),
                        0,
                        null,
                        pending.size(),
                        null,
                        false,
                        false,
                        Tracking.NONE,
                        null,
                        Map.of(),
                        null,
                        null,
                        List.of(new RunRecord.Job(SubmittedStudy.NAME, jobs.first(), null, null)));
        return new SubmittedStudy(plan, files, directory, record, terminal);
    }

    private JobClient submit(int slots) throws Exception {
        Configuration flink = new Configuration();
        flink.set(PipelineOptions.MAX_PARALLELISM, JobCluster.MAX_PARALLELISM);
        // Finished cells have result files, so the job has no other state.
        flink.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
        flink.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS, RESTARTS);
        StreamExecutionEnvironment environment = JobCluster.environment(deployment, address, flink);
        environment.setParallelism(slots);
        environment
                .fromSource(
                        new TaskSource<>(
                                new CellTasks(new ArrayList<>(pending), directory), "cell"),
                        WatermarkStrategy.noWatermarks(),
                        "Cells",
                        Types.INT)
                .sinkTo(new DiscardingSink<>())
                .name("End");
        return environment.executeAsync("Levee: study of %,d cells".formatted(pending.size()));
    }

    /** Formats a duration for people. */
    static String duration(double seconds) {
        return Numbers.duration(seconds) + (Math.round(seconds) < 3600 ? " min" : " h");
    }
}
