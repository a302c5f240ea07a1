package dev.levee.jobs.internal.estimate;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.estimate.EstimateFiles;
import dev.levee.jobs.internal.run.Checkpoints;
import dev.levee.jobs.internal.run.RunHints;
import dev.levee.jobs.internal.run.ShellWords;
import dev.levee.jobs.internal.run.follow.Ending;
import dev.levee.jobs.internal.run.follow.JobEnd;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The job of an estimate, for whoever submitted it or has come back to it.
 *
 * @param root output folder, an absolute URI
 * @param record the submitted record
 */
record SubmittedEstimate(String root, RunRecord record, Terminal terminal) {
    /** The name of the estimate, which its checkpoints have, too. */
    String name() {
        return record.jobs().get(0).rule();
    }

    /** The id of its job. */
    String job() {
        return record.jobs().get(0).id();
    }

    /** The progress of the job. */
    EstimateProgress progress(FlinkRest rest) {
        return new EstimateProgress(rest, job(), record.fits(), record.rounds());
    }

    /**
     * Says how far the job is until it has ended.
     *
     * @throws Exception its failure, or a sentence about what became of it
     */
    void follow(FlinkRest rest, JobClient job) throws Exception {
        EstimateProgress progress = progress(rest);
        try {
            JobEnd.follow(
                    rest,
                    job,
                    terminal,
                    () -> {
                        progress.now().forEach(terminal::say);
                        return progress.line();
                    });
        } catch (Exception e) {
            if (summary().isPresent()) {
                return; // its cluster has ended before it could say so
            }
            requireSummary(rest, e);
            throw e;
        }
        requireSummary(rest, null);
    }

    /** Says what became of a job that the cluster or someone else has ended. */
    private void requireSummary(FlinkRest rest, Exception failure) throws IOException {
        Optional<Ending> ending = summary().isPresent() ? Optional.empty() : Ending.of(rest, job());
        if (ending.isPresent()) {
            throw new IllegalStateException(
                    "the job of %s %s%s"
                            .formatted(
                                    name(),
                                    ending.get().sentence(),
                                    goOn(ending.get().savepoint())
                                            .map(command -> ". Go on with: " + command)
                                            .orElse(", before its first checkpoint")),
                    failure);
        }
    }

    /** The result; empty if it is not complete. */
    Optional<JsonNode> summary() throws IOException {
        return EstimateFiles.read(root);
    }

    /**
     * Ends what has results: checkpoints that nobody asked for go.
     *
     * @return the results
     * @throws IllegalStateException if there are none; one sentence
     */
    JsonNode conclude() throws IOException {
        JsonNode summary =
                summary()
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                "the results in "
                                                        + root
                                                        + " cannot be read from here; the cluster"
                                                        + " may have a file system of its own"));
        if (record.ownCheckpoints()) {
            Path own = new Path(record.checkpoints());
            own.getFileSystem().delete(own, true);
        }
        terminal.say("Report: " + ShellWords.shown(root) + "/report.html");
        return summary;
    }

    /**
     * The command that goes on with the estimate, empty if there is nothing to go on from.
     *
     * @param savepoint the savepoint with which the job was stopped, if it was
     */
    Optional<String> goOn(Optional<String> savepoint) throws IOException {
        Optional<String> resume =
                savepoint.isPresent() || !Checkpoints.ofAll(record.checkpoints(), List.of(name()))
                        ? savepoint
                        : Optional.of(record.checkpoints());
        return resume.map(from -> RunHints.resume(record.arguments(), root, from));
    }
}
