package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunRecord;

import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The output folder of a run that the user comes back to.
 *
 * @param root absolute URI
 * @param record the content of its {@code run.json}
 */
public record LeftFolder(String root, RunRecord record) {
    /** The levels between a checkpoint and its run's folder: checkpoints, rule, job, checkpoint. */
    private static final int LEVELS = 4;

    /**
     * The folder of a run.
     *
     * @param folder its {@code --output}, or the name of a folder below {@code levee-runs}
     * @throws IllegalArgumentException if it is none; one sentence
     */
    public static LeftFolder of(String folder) throws IOException {
        for (String each : List.of(folder, "levee-runs/" + folder)) {
            String root = OutputLayout.absolute(each);
            Optional<RunRecord> record = new RunFiles(root).record();
            if (record.isPresent()) {
                return new LeftFolder(root, record.get());
            }
        }
        throw new IllegalArgumentException(
                folder
                        + " is not a run folder: it has no run.json; levee runs DIR lists the runs"
                        + " below DIR");
    }

    /**
     * The folder at or above a path, such as that of a checkpoint; empty if there is none.
     *
     * @throws IllegalArgumentException if its record is damaged; one sentence
     */
    public static Optional<LeftFolder> above(String path) throws IOException {
        Path each = new Path(OutputLayout.absolute(path));
        for (int level = 0; level <= LEVELS && each != null; level++) {
            Optional<RunRecord> record = new RunFiles(each.toString()).record();
            if (record.isPresent()) {
                return Optional.of(new LeftFolder(each.toString(), record.get()));
            }
            each = each.getParent();
        }
        return Optional.empty();
    }

    /**
     * The record of a run that is resumed: that of the folder where it continues from, or of its
     * results if its checkpoints are elsewhere.
     *
     * @param resume what it continues from
     * @param root the folder of its results
     */
    static Optional<RunRecord> resumed(String resume, String root) throws IOException {
        Optional<LeftFolder> above = above(resume);
        return above.isPresent()
                ? above.map(LeftFolder::record)
                : new RunFiles(OutputLayout.absolute(root))
                        .record()
                        .filter(record -> isBelow(resume, record.checkpoints()));
    }

    private static boolean isBelow(String path, String folder) {
        return folder != null && (OutputLayout.absolute(path) + "/").startsWith(folder + "/");
    }

    /**
     * Refuses to resume a run with a model of another size, such as one with other layers.
     *
     * @throws IllegalArgumentException if it is; one sentence
     */
    static void requireSize(String resume, String root, int parameters) throws IOException {
        Optional<Integer> before = resumed(resume, root).map(RunRecord::parameters);
        if (before.isPresent() && before.get() != parameters) {
            throw new IllegalArgumentException(
                    "--resume %s is a run of a model with %d parameters, and this one has %d"
                            .formatted(resume, before.get(), parameters));
        }
    }

    /**
     * Refuses the folder of a run that has not ended: a new run there would replace the record by
     * which its jobs are found.
     *
     * @param given the folder as the user named it
     * @param root the same as an absolute URI
     * @throws IllegalArgumentException if one of its jobs runs or waits; one sentence
     */
    static void requireEnded(String given, String root) throws IOException {
        Optional<RunRecord> record = new RunFiles(root).record();
        if (record.isEmpty() || record.get().estimates() || record.get().studies()) {
            return;
        }
        for (LeftRun.State each : new ReturnToRun(new LeftFolder(root, record.get())).status()) {
            if (each.well() && !each.state().equals("FINISHED")) {
                throw new IllegalArgumentException(
                        "--output %s belongs to a run that has not ended (%s on %s): choose another folder, or end that run with levee cancel"
                                .formatted(given, each.state(), record.get().cluster()));
            }
        }
    }
}
