package dev.levee.jobs.internal.report;

import dev.levee.jobs.internal.report.summary.Summary;

import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the trainings in and below a folder. */
public final class RunCatalog {
    /** Deepest level of runs below a folder: experiment, folder, rule. */
    private static final int DEPTH = 3;

    /**
     * A run.
     *
     * @param folder absolute URI
     * @param started start of the run, ISO 8601 in UTC; empty for older runs that did not record it
     * @param rule name of the rule; empty if the run cannot be read
     * @param summary the run's summary, empty if it is not complete
     * @param state {@code complete}, {@code not complete} or {@code damaged}
     */
    public record Entry(
            String folder, String started, String rule, Optional<Summary> summary, String state) {}

    private final List<Entry> entries = new ArrayList<>();

    private RunCatalog() {}

    /**
     * Lists the trainings; the newest is last.
     *
     * @throws FileNotFoundException if there is no such folder
     */
    public static List<Entry> below(String folder) throws IOException {
        Path root = new Path(OutputLayout.absolute(folder));
        if (!root.getFileSystem().exists(root)) {
            throw new FileNotFoundException(folder);
        }
        RunCatalog catalog = new RunCatalog();
        catalog.look(root.getFileSystem(), root, DEPTH);
        catalog.entries.sort(Comparator.comparing(Entry::started).thenComparing(Entry::folder));
        return catalog.entries;
    }

    private void look(FileSystem files, Path directory, int depth) throws IOException {
        FileStatus[] children = OutputFolder.list(files, directory);
        if (children == null) {
            return;
        }
        add(directory.toString());
        for (FileStatus child : depth == 0 ? new FileStatus[0] : children) {
            if (child.isDir() && !child.getPath().getName().equals(OutputFolder.CHECKPOINTS)) {
                look(files, child.getPath(), depth - 1);
            }
        }
    }

    private void add(String folder) throws IOException {
        RunFiles files = new RunFiles(folder);
        try {
            Optional<Summary> summary = files.summary();
            summary.ifPresent(each -> entries.add(complete(folder, each)));
            Optional<RunRecord> record = files.record();
            if (record.isPresent() && !record.get().estimates() && !record.get().studies()) {
                addMissing(folder, record.get());
            }
        } catch (IllegalArgumentException e) {
            entries.add(new Entry(folder, "", "", Optional.empty(), "damaged"));
        }
    }

    private static Entry complete(String folder, Summary summary) {
        return new Entry(
                folder,
                summary.provenance() == null ? "" : summary.provenance().started(),
                // Federated runs of one invocation differ in their sampling.
                String.valueOf(
                        summary.configuration()
                                .getOrDefault(
                                        "sampling", summary.configuration().get("aggregator"))),
                Optional.of(summary),
                "complete");
    }

    private void addMissing(String folder, RunRecord record) throws IOException {
        OutputLayout layout = record.layout(folder);
        for (int index = 0; index < record.jobs().size(); index++) {
            if (new RunFiles(layout.directory(index)).summary().isEmpty()) {
                entries.add(
                        new Entry(
                                layout.directory(index),
                                record.started(),
                                record.jobs().get(index).rule(),
                                Optional.empty(),
                                "not complete"));
            }
        }
    }
}
