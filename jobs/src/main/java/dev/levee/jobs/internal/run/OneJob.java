package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.run.follow.JobEnd;
import dev.levee.jobs.internal.run.follow.ReportedJobEnd;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.flink.core.execution.JobClient;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * A submitted run of a single job, such as an estimate or a study.
 *
 * @param <R> the type of its results
 */
public interface OneJob<R> {
    /** The output folder, an absolute URI. */
    String root();

    /** The record that was written at submission. */
    RunRecord record();

    /** The terminal for progress and results; null for none. */
    Terminal terminal();

    /** True if all results exist. */
    boolean done() throws IOException;

    /** The result in one line, once the job is done. */
    String outcome() throws IOException;

    /** The state and progress of the job. */
    LeftCluster.Seen look(FlinkRest rest) throws IOException;

    /** Returns a source of sentences about the job's progress. */
    Callable<String> progress(FlinkRest rest) throws IOException;

    /**
     * Finishes a run whose job is done.
     *
     * @return the results
     */
    R conclude() throws IOException;

    /**
     * The command that continues the run, empty if there is nothing to continue from.
     *
     * @param savepoint the savepoint with which the job was stopped, if any
     */
    Optional<String> goOn(Optional<String> savepoint) throws IOException;

    /** The name of the run, which its checkpoints also have. */
    default String name() {
        return record().jobs().get(0).rule();
    }

    /** The id of the job, null if there is none. */
    default String job() {
        return record().jobs().get(0).id();
    }

    /** Writes the record of what was submitted, for commands that reconnect to the run. */
    default void save() throws IOException {
        synchronized (record()) { // on Ctrl-C, another thread saves as well
            new RunFiles(root()).write(record());
        }
    }

    /**
     * Prints the progress of the job until it has ended.
     *
     * @throws Exception if the job failed or was ended
     */
    default void follow(FlinkRest rest, JobClient job) throws Exception {
        try {
            JobEnd.follow(rest, job, terminal(), progress(rest));
        } catch (Exception e) {
            if (done()) {
                return; // the cluster ended before it could report the job's success
            }
            requireDone(rest, e);
            throw e;
        }
        requireDone(rest, null);
    }

    /** Throws a sentence about a job that the cluster or a user has ended. */
    private void requireDone(FlinkRest rest, Exception failure) throws IOException {
        Optional<ReportedJobEnd> ending =
                done() ? Optional.empty() : ReportedJobEnd.of(rest, job());
        if (ending.isPresent()) {
            throw new IllegalStateException(
                    "the job %s %s%s"
                            .formatted(
                                    name(),
                                    ending.get().sentence(),
                                    goOn(ending.get().savepoint())
                                            .map(command -> ". Continue with: " + command)
                                            .orElse(", before its first checkpoint")),
                    failure);
        }
    }

    /**
     * Handles Ctrl-C or the end of the terminal. A job on a remote cluster continues; a cluster in
     * this process ends with it.
     *
     * @param left gives the run as it was left, after submissions have stopped
     */
    static void interrupted(
            SubmittedJobs jobs,
            Deployment deployment,
            Terminal terminal,
            Supplier<? extends OneJob<?>> left) {
        try {
            jobs.awaitLast(deployment, terminal);
            OneJob<?> run = left.get();
            run.sayInterrupted();
        } catch (IOException | InterruptedException e) {
            terminal.say("Interrupted. The job may still be running: " + e);
        }
    }

    private void sayInterrupted() throws IOException {
        if (job() != null) {
            save();
        }
        if (job() == null || record().embedded()) {
            String lost = job() == null ? "the job was submitted." : "the first checkpoint.";
            terminal()
                    .say(
                            goOn(Optional.empty())
                                    .map(command -> "Interrupted. Continue with: " + command)
                                    .orElse("Interrupted before " + lost));
            return;
        }
        terminal()
                .say(
                        "Interrupted; the job continues at %s.%n%s"
                                .formatted(record().cluster(), RunHints.comeBack(root())));
    }
}
