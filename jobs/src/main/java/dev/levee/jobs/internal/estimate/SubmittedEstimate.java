package dev.levee.jobs.internal.estimate;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.estimate.EstimateFiles;
import dev.levee.jobs.internal.run.Checkpoints;
import dev.levee.jobs.internal.run.LeftCluster;
import dev.levee.jobs.internal.run.LeftFolder;
import dev.levee.jobs.internal.run.OneJob;
import dev.levee.jobs.internal.run.RunHints;
import dev.levee.jobs.internal.run.ShellWords;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.flink.rest.FlinkRest;

import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;

/** The submitted job of an estimate. */
public record SubmittedEstimate(String root, RunRecord record, Terminal terminal)
        implements OneJob<JsonNode> {
    /** Opens the estimate whose record is in a folder. */
    public static SubmittedEstimate left(LeftFolder folder, Terminal terminal) {
        return new SubmittedEstimate(folder.root(), folder.record(), terminal);
    }

    @Override
    public boolean done() throws IOException {
        return summary().isPresent();
    }

    /** Returns each treatment's coefficient with its standard error. */
    @Override
    public String outcome() throws IOException {
        List<String> effects = new ArrayList<>();
        summary()
                .orElseThrow()
                .path("treatments")
                .properties()
                .forEach(
                        each ->
                                effects.add(
                                        String.format(
                                                Locale.ROOT,
                                                "%s %.4g (standard error %.2g)",
                                                each.getKey(),
                                                each.getValue().path("coefficient").asDouble(),
                                                each.getValue().path("standardError").asDouble())));
        return String.join(", ", effects);
    }

    @Override
    public LeftCluster.Seen look(FlinkRest rest) throws IOException {
        EstimateProgress progress = watched(rest);
        String status = progress.look();
        return new LeftCluster.Seen(status, progress.line());
    }

    @Override
    public Callable<String> progress(FlinkRest rest) {
        EstimateProgress progress = watched(rest);
        return () -> {
            progress.now().forEach(terminal::say);
            return progress.line();
        };
    }

    private EstimateProgress watched(FlinkRest rest) {
        return new EstimateProgress(rest, job(), record.fits(), record.rounds());
    }

    /** The result; empty if it is not complete. */
    private Optional<JsonNode> summary() throws IOException {
        return EstimateFiles.read(root);
    }

    /**
     * Reads the results of a finished estimate, and deletes its checkpoints unless the user chose
     * their directory.
     *
     * @return the results
     * @throws IllegalStateException if the results cannot be read; one sentence
     */
    @Override
    public JsonNode conclude() throws IOException {
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

    @Override
    public Optional<String> goOn(Optional<String> savepoint) throws IOException {
        Optional<String> resume =
                savepoint.isPresent() || !Checkpoints.ofAll(record.checkpoints(), List.of(name()))
                        ? savepoint
                        : Optional.of(record.checkpoints());
        return resume.map(from -> RunHints.resume(record.arguments(), root, from));
    }
}
