package dev.levee.jobs.internal.run;

import dev.levee.jobs.cluster.ObjectStores;
import dev.levee.jobs.internal.cluster.FileTree;
import dev.levee.jobs.internal.report.OutputLayout;

import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the checkpoint or savepoint to resume from. */
public final class Checkpoints {
    /** Deepest level of checkpoints below a directory: rule, job, checkpoint. */
    private static final int DEPTH = 3;

    private static final String METADATA = "_metadata";

    private static final String OF_OTHERS =
            " of %s: repeat the options of the run, or name its output folder, which records them";

    /** Signals that a path has no completed checkpoint of a run. */
    public static final class NoCheckpointException extends IllegalArgumentException {
        NoCheckpointException(String message) {
            super(message);
        }
    }

    private record Found(String path, long written) {}

    private Checkpoints() {}

    /**
     * Finds the savepoint or checkpoint of one run at or below a path.
     *
     * @param given a savepoint, a checkpoint, or a directory above checkpoints
     * @param run directory name of the run
     * @param jobs ids of the run's jobs, as far as they are known, newest first. Their checkpoints
     *     come before those of other jobs, since other runs may share the directory
     * @param only true if it is the only run, so that any checkpoint counts as its own
     * @throws IllegalArgumentException if nothing complete is there; one sentence
     */
    static String find(String given, String run, List<String> jobs, boolean only)
            throws IOException {
        Path path = new Path(OutputLayout.absolute(given));
        FileSystem files = path.getFileSystem();
        if (!files.exists(path)) {
            throw new IllegalArgumentException("--resume " + given + " does not exist");
        }
        if (!only && files.exists(new Path(path, METADATA))) {
            throw new IllegalArgumentException(
                    ("--resume %s is the checkpoint of one rule, but several are given "
                                    + "with --aggregator; name the directory with the checkpoints of all")
                            .formatted(given));
        }
        Optional<Found> found = Optional.empty();
        for (Path own : new Path[] {new Path(path, "checkpoints/" + run), new Path(path, run)}) {
            List<Path> places =
                    new ArrayList<>(jobs.stream().map(job -> new Path(own, job)).toList());
            places.add(own);
            for (Path place : places) {
                if (found.isEmpty() && files.exists(place)) {
                    found = newest(files, place, DEPTH);
                }
            }
        }
        if (found.isEmpty() && only) {
            found = newest(files, path, DEPTH);
        }
        if (found.isEmpty()) {
            boolean ofOthers = !only && newest(files, path, DEPTH + 1).isPresent();
            throw new NoCheckpointException(
                    "--resume "
                            + given
                            + " has no completed checkpoint"
                            + (ofOthers ? OF_OTHERS.formatted(run) : ""));
        }
        return found.get().path();
    }

    /**
     * Like {@link #find}, but refuses a damaged checkpoint, and names the next older intact one.
     *
     * @throws IllegalArgumentException if a file is damaged; one sentence
     */
    public static String findSound(String given, String run, List<String> jobs, boolean only)
            throws IOException {
        String found = find(given, run, jobs, only);
        Optional<String> damage = CheckpointFiles.damage(found);
        if (damage.isEmpty()) {
            return found;
        }
        Path newest = new Path(found);
        throw new IllegalArgumentException(
                "--resume %s: the checkpoint %s is damaged (%s); %s"
                        .formatted(
                                given,
                                newest.getPath(),
                                damage.get(),
                                older(newest)
                                        .map(
                                                each ->
                                                        "the next older one is intact: --resume "
                                                                + ShellWords.quoted(each))
                                        .orElse("there is no older one next to it")));
    }

    /**
     * Refuses a checkpoint of another run.
     *
     * @throws IllegalArgumentException if it has no operator of this run; one sentence
     */
    static void requireOf(String runId, String checkpoint) throws IOException {
        if (!CheckpointFiles.mayBeOf(runId, checkpoint)) {
            throw new IllegalArgumentException(ofAnotherRun(checkpoint));
        }
    }

    /** A sentence about a checkpoint of another run. */
    public static String ofAnotherRun(String checkpoint) {
        return checkpoint
                + " belongs to another run: use its settings (only --rounds may differ),"
                + " or start over without --resume";
    }

    /** The newest intact checkpoint that lies beside a checkpoint and is older. */
    private static Optional<String> older(Path checkpoint) throws IOException {
        FileSystem files = checkpoint.getFileSystem();
        long written = files.getFileStatus(new Path(checkpoint, METADATA)).getModificationTime();
        List<Found> older = new ArrayList<>();
        for (FileStatus entry : files.listStatus(checkpoint.getParent())) {
            Optional<Found> beside =
                    entry.isDir() ? newest(files, entry.getPath(), 0) : Optional.empty();
            beside.filter(each -> each.written() < written).ifPresent(older::add);
        }
        older.sort(Comparator.comparingLong(Found::written).reversed());
        for (Found each : older) {
            if (CheckpointFiles.damage(each.path()).isEmpty()) {
                return Optional.of(new Path(each.path()).getPath());
            }
        }
        return Optional.empty();
    }

    /** True if a path is a checkpoint or savepoint itself, not a directory above some. */
    public static boolean isOne(String given) throws IOException {
        Path metadata = new Path(OutputLayout.absolute(given), METADATA);
        return metadata.getFileSystem().exists(metadata);
    }

    /** True if each of these runs has a checkpoint to resume from. */
    public static boolean ofAll(String directory, List<String> runs) throws IOException {
        for (String run : runs) {
            Path path = new Path(directory, run);
            FileSystem files = ObjectStores.files(path);
            if (!files.exists(path) || newest(files, path, DEPTH).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Deletes the checkpoints that one job wrote, and directories that become empty. Files of other
     * jobs and other programs stay.
     *
     * @param directory the directory of the checkpoints of all runs
     * @param run directory name of the run
     * @param job id of the job
     */
    static void delete(java.nio.file.Path directory, String run, String job) throws IOException {
        java.nio.file.Path own = directory.resolve(run);
        FileTree.delete(own.resolve(job));
        for (java.nio.file.Path each : List.of(own, directory)) {
            try {
                Files.deleteIfExists(each);
            } catch (DirectoryNotEmptyException e) {
                return;
            }
        }
    }

    /** The newest intact savepoint or checkpoint below a directory; empty if there is none. */
    static Optional<String> newestWhole(String directory) throws IOException {
        Path path = new Path(directory);
        FileSystem files = ObjectStores.files(path);
        Optional<Found> found = files.exists(path) ? newest(files, path, DEPTH) : Optional.empty();
        if (found.isEmpty() || CheckpointFiles.damage(found.get().path()).isEmpty()) {
            return found.map(Found::path);
        }
        return older(new Path(found.get().path()));
    }

    private static Optional<Found> newest(FileSystem files, Path directory, int depth)
            throws IOException {
        Path metadata = new Path(directory, METADATA);
        // On a full disk, files are created but stay empty.
        if (files.exists(metadata) && files.getFileStatus(metadata).getLen() > 0) {
            long written = files.getFileStatus(metadata).getModificationTime();
            return Optional.of(new Found(directory.toString(), written));
        }
        Optional<Found> best = Optional.empty();
        FileStatus[] entries = depth == 0 ? null : files.listStatus(directory);
        if (entries == null) {
            return best;
        }
        for (FileStatus entry : entries) {
            if (entry.isDir()) {
                Optional<Found> below = newest(files, entry.getPath(), depth - 1);
                if (below.isPresent()
                        && (best.isEmpty() || below.get().written() > best.get().written())) {
                    best = below;
                }
            }
        }
        return best;
    }
}
