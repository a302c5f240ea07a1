package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.run.follow.Ending;
import dev.levee.jobs.internal.run.follow.JobEnd;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.flink.core.execution.JobClient;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * A run that is one job, such as an estimate or a study, for whoever submitted it or has come back
 * to it.
 *
 * @param <R> its results
 */
public interface OneJob<R> {
    /** Its output folder, an absolute URI. */
    String root();

    /** The submitted record. */
    RunRecord record();

    /** Where it reports what happens; null for nowhere. */
    Terminal terminal();

    /** True if all that it computes is there. */
    boolean done() throws IOException;

    /** The result in one line, once it is done. */
    String outcome() throws IOException;

    /** The state of its job, and how far it is. */
    LeftCluster.Seen look(FlinkRest rest) throws IOException;

    /** Says how far its job is, each time that it is asked. */
    Callable<String> progress(FlinkRest rest) throws IOException;

    /**
     * Ends what is done.
     *
     * @return the results
     */
    R conclude() throws IOException;

    /**
     * The command that continues with it, empty if there is nothing to continue from.
     *
     * @param savepoint the savepoint with which its job was stopped, if it was
     */
    Optional<String> goOn(Optional<String> savepoint) throws IOException;

    /** Its name, which the checkpoints of its job have, too. */
    default String name() {
        return record().jobs().get(0).rule();
    }

    /** The id of its job, null if there is none. */
    default String job() {
        return record().jobs().get(0).id();
    }

    /** Records what has been submitted, for the commands that come back to it. */
    default void save() throws IOException {
        synchronized (record()) { // Ctrl-C saves, too
            new RunFiles(root()).write(record());
        }
    }

    /**
     * Says how far the job is until it has ended.
     *
     * @throws Exception its failure, or a sentence about what became of it
     */
    default void follow(FlinkRest rest, JobClient job) throws Exception {
        try {
            JobEnd.follow(rest, job, terminal(), progress(rest));
        } catch (Exception e) {
            if (done()) {
                return; // its cluster has ended before it could say so
            }
            requireDone(rest, e);
            throw e;
        }
        requireDone(rest, null);
    }

    /** Says what became of a job that the cluster or someone else has ended. */
    private void requireDone(FlinkRest rest, Exception failure) throws IOException {
        Optional<Ending> ending = done() ? Optional.empty() : Ending.of(rest, job());
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
     * The user has pressed Ctrl-C, or the terminal is gone. A job on a cluster continues; a cluster
     * in this process ends with it.
     *
     * @param left what is left, once no more is submitted
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
