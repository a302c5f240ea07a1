package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.page.StalledTraining;
import dev.levee.jobs.internal.run.follow.FederatedTable;
import dev.levee.jobs.internal.run.follow.Follower;
import dev.levee.jobs.internal.run.follow.ReportedJobEnd;
import dev.levee.jobs.internal.run.follow.ResultTable;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.jobs.internal.run.follow.WaitingCause;
import dev.levee.jobs.internal.tracking.Trackers;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The submitted jobs of one invocation, for the command that submitted them or one that reconnects.
 */
final class SubmittedRun {
    private final OutputLayout layout;
    private final RunRecord record;
    private final Terminal terminal;
    private final Trackers trackers;

    /**
     * @param layout the places of results
     * @param record the record that was written at submission
     */
    SubmittedRun(OutputLayout layout, RunRecord record, Terminal terminal) {
        this.layout = layout;
        this.record = record;
        this.terminal = terminal;
        this.trackers = Trackers.of(record, layout, terminal::say);
    }

    /**
     * Prints the progress of the jobs until all have ended.
     *
     * @param jobs the submitted jobs, in order
     * @param trouble gives a reason why rounds may be waiting, if one can be found
     * @throws Exception if a job failed or was ended
     */
    void follow(FlinkRest rest, List<JobClient> jobs, Supplier<Optional<String>> trouble)
            throws Exception {
        List<Integer> submitted = record.submitted();
        List<String> rules =
                submitted.stream().map(index -> record.jobs().get(index).rule()).toList();
        Follower follower =
                new Follower(
                        rest,
                        rules,
                        record.rounds(),
                        terminal,
                        (job, now) ->
                                trackers.progress(
                                        submitted.get(job),
                                        now.round(),
                                        now.loss(),
                                        now.score(),
                                        now.scored(),
                                        now.roundsPerSecond()),
                        new WaitingCause(trouble));
        for (int i = 0; i < jobs.size(); i++) {
            RunRecord.Job job = record.jobs().get(submitted.get(i));
            follower.add(jobs.get(i), job.privacy(), job.guessingLoss());
        }
        List<CompletableFuture<JobExecutionResult>> ends = follower.untilAllEnd();
        try {
            requireAll(rest, ends);
        } catch (Exception e) {
            tellTrackers();
            showOthers();
            throw e;
        }
    }

    /** Shows the table and the report of the complete runs after another has failed. */
    private void showOthers() throws IOException {
        List<RunView> runs = RunFiles.complete(layout);
        List<Integer> missing = new ArrayList<>();
        for (int index : record.submitted()) {
            if (!complete(index)) {
                missing.add(index);
            }
        }
        if (runs.isEmpty() || missing.isEmpty()) {
            return;
        }
        terminal.say(
                missing.stream()
                                .map(index -> record.jobs().get(index).rule())
                                .collect(Collectors.joining(", "))
                        + " has failed; the results of the others:");
        show(runs);
    }

    private void requireAll(FlinkRest rest, List<CompletableFuture<JobExecutionResult>> ends)
            throws Exception {
        List<Integer> submitted = record.submitted();
        for (int i = 0; i < ends.size(); i++) {
            try {
                ends.get(i).get();
            } catch (ExecutionException e) {
                if (complete(submitted.get(i))) {
                    continue; // the cluster ended before it could report the job's success
                }
                requireResults(rest, e);
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                throw e;
            }
        }
        requireResults(rest, null);
    }

    /**
     * Tells the trackers which runs have results, and which ended without. The next command that
     * reconnects repeats it until all have results and all trackers have received them.
     */
    void tellTrackers() throws IOException {
        if (record.tracking().complete()) {
            return;
        }
        boolean told = !record.submitted().isEmpty();
        for (int index : record.submitted()) {
            Optional<RunView> run = new RunFiles(layout.directory(index)).read();
            if (run.isEmpty()) {
                trackers.failed(index);
            }
            told &= run.isPresent() && trackers.finished(index, run.get());
        }
        if (told) {
            new RunFiles(layout.root()).write(record.tracked());
        }
    }

    private boolean complete(int index) throws IOException {
        return new RunFiles(layout.directory(index)).summary().isPresent();
    }

    /**
     * Throws a sentence about runs without results that the cluster or a user has ended, with the
     * command that continues them.
     *
     * @param failure the failure of a job, null if none failed
     */
    private void requireResults(FlinkRest rest, Exception failure) throws IOException {
        List<String> sentences = new ArrayList<>();
        Optional<String> savepoint = Optional.empty();
        for (int index : record.submitted()) {
            if (complete(index)) {
                continue;
            }
            RunRecord.Job job = record.jobs().get(index);
            Optional<ReportedJobEnd> ending = ReportedJobEnd.of(rest, job.id());
            if (ending.isPresent()) {
                sentences.add("the job of %s %s".formatted(job.rule(), ending.get().sentence()));
                savepoint = savepoint.or(ending.get()::savepoint);
            }
        }
        if (!sentences.isEmpty()) {
            throw new IllegalStateException(
                    String.join("; ", sentences)
                            + goOn(savepoint)
                                    .map(command -> ". Continue with: " + command)
                                    .orElse(", before its first checkpoint"),
                    failure);
        }
    }

    /**
     * Prints the table of results and the location of the report.
     *
     * @throws IllegalStateException if results are missing, which is after the table if jobs were
     *     not submitted; one sentence
     */
    void conclude() throws IOException {
        Map<Integer, RunView> runs = new TreeMap<>();
        List<String> never = new ArrayList<>();
        for (int index = 0; index < record.jobs().size(); index++) {
            RunRecord.Job job = record.jobs().get(index);
            Optional<RunView> run = new RunFiles(layout.directory(index)).read();
            if (run.isPresent()) {
                runs.put(index, run.get());
            } else if (job.id() == null) {
                never.add(job.rule());
            } else {
                throw new IllegalStateException(
                        "the results in %s cannot be read from here; the cluster may have a file system of its own"
                                .formatted(layout.root()));
            }
        }
        tellTrackers();
        show(List.copyOf(runs.values()));
        Optional<Path> checkpoints = ShellWords.local(record.checkpoints());
        if (record.ownCheckpoints() && checkpoints.isPresent()) {
            for (int index : runs.keySet()) { // the others continue from theirs
                RunRecord.Job job = record.jobs().get(index);
                for (String each : job.all()) {
                    Checkpoints.delete(checkpoints.get(), layout.name(index), each);
                }
            }
        }
        if (!never.isEmpty()) {
            throw new IllegalStateException(
                    "the command ended before it had submitted %s. Continue with: %s"
                            .formatted(
                                    String.join(", ", never),
                                    goOn(Optional.empty()).orElseThrow()));
        }
    }

    /** True if a submitted job has no results. */
    boolean unfinished() throws IOException {
        for (int index : record.submitted()) {
            if (!complete(index)) {
                return true;
            }
        }
        return false;
    }

    private void show(List<RunView> runs) {
        terminal.result(
                runs.get(0).federated() == null ? ResultTable.of(runs) : FederatedTable.of(runs));
        StalledTraining.sentences(runs).forEach(terminal::result);
        terminal.result(
                "Report: " + ShellWords.shown(new RunFiles(layout.root()).report().toString()));
    }

    /**
     * The command that continues incomplete runs, empty if there is nothing to continue from.
     *
     * @param savepoint the savepoint with which a job was stopped, if any
     */
    Optional<String> goOn(Optional<String> savepoint) throws IOException {
        List<String> unfinished = new ArrayList<>();
        boolean never = false; // a job that was not submitted needs no checkpoint
        for (int index = 0; index < record.jobs().size(); index++) {
            String job = record.jobs().get(index).id();
            if (!complete(index) && job == null) {
                never = true;
            } else if (!complete(index)) {
                // Other runs may share the directory, but only this run's job uses its folder.
                boolean own = record.first() && record.queue() == null;
                unfinished.add(layout.name(index) + (own ? "/" + job : ""));
            }
        }
        if (unfinished.isEmpty() && !never) {
            return Optional.empty();
        }
        String resume = null;
        if (unfinished.isEmpty()) {
            resume = layout.root();
        } else if (savepoint.isPresent() && record.jobs().size() == 1) {
            resume = savepoint.get();
        } else if (Checkpoints.ofAll(record.checkpoints(), unfinished)) {
            resume = record.checkpoints();
        }
        return resume == null && !record.survives()
                ? Optional.empty()
                : Optional.of(RunHints.resume(record.arguments(), layout.root(), resume));
    }

    /** The commands that reconnect to the jobs, one on each line. */
    String comeBack() {
        return RunHints.comeBack(layout.root());
    }
}
