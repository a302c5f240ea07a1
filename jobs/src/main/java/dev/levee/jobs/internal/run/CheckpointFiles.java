package dev.levee.jobs.internal.run;

import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Checks the files of a checkpoint: its metadata, and the state files that the metadata names.
 * Before a job starts, this finds missing files, files of another length, and files that name
 * foreign classes. It does not find changed bits inside files.
 */
final class CheckpointFiles {
    private CheckpointFiles() {}

    /**
     * Describes the first damaged file; empty if none is damaged.
     *
     * @param checkpoint directory of the checkpoint
     */
    static Optional<String> damage(String checkpoint) throws IOException {
        CheckpointMetadata read;
        try {
            read = read(checkpoint);
        } catch (IOException | RuntimeException e) {
            return Optional.of(
                    metadata(checkpoint).getPath() + " is cut short or was not written by Flink");
        }
        for (OperatorState operator : read.getOperatorStates()) {
            for (OperatorSubtaskState subtask : operator.getSubtaskStates().values()) {
                Optional<String> damage = damage(subtask);
                if (damage.isPresent()) {
                    return damage;
                }
            }
        }
        return Optional.empty();
    }

    /**
     * True if a checkpoint may be of a run: it has operators of the run, or names none, as those of
     * older versions of Flink.
     */
    static boolean mayBeOf(String runId, String checkpoint) throws IOException {
        List<String> uids =
                read(checkpoint).getOperatorStates().stream()
                        .flatMap(operator -> operator.getOperatorUid().stream())
                        .toList();
        return uids.isEmpty() || uids.stream().anyMatch(uid -> uid.startsWith(runId + "-"));
    }

    private static CheckpointMetadata read(String checkpoint) throws IOException {
        Path metadata = metadata(checkpoint);
        try (DataInputStream in = new DataInputStream(metadata.getFileSystem().open(metadata))) {
            return Checkpoints.loadCheckpointMetadata(
                    in, CheckpointFiles.class.getClassLoader(), checkpoint);
        }
    }

    private static Path metadata(String checkpoint) {
        return new Path(checkpoint, "_metadata");
    }

    private static Optional<String> damage(OperatorSubtaskState subtask) throws IOException {
        if (!subtask.getRawKeyedState().isEmpty() || !subtask.getRawOperatorState().isEmpty()) {
            return Optional.of("it has raw state, which Levee does not store");
        }
        for (OperatorStateHandle each : subtask.getManagedOperatorState()) {
            Optional<String> damage =
                    damage(each.getDelegateStateHandle(), StateClasses::foreignInOperator);
            if (damage.isPresent()) {
                return damage;
            }
        }
        for (KeyedStateHandle each : subtask.getManagedKeyedState()) {
            Optional<String> damage =
                    each instanceof KeyGroupsStateHandle groups
                            ? damage(groups.getDelegateStateHandle(), StateClasses::foreignInKeyed)
                            : Optional.of("it has state of a backend that Levee does not use");
            if (damage.isPresent()) {
                return damage;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> damage(
            StreamStateHandle handle, Function<InputStream, Optional<String>> foreign)
            throws IOException {
        Optional<Path> path = handle.maybeGetPath();
        if (path.isPresent()) {
            Optional<String> damage = damage(path.get(), handle.getStateSize());
            if (damage.isPresent()) {
                return damage;
            }
        }
        try (InputStream state = handle.openInputStream()) {
            return foreign.apply(state)
                    .map(
                            each ->
                                    "%s names the class %s, which Levee does not store"
                                            .formatted(
                                                    path.map(Path::getPath).orElse("its state"),
                                                    each));
        }
    }

    private static Optional<String> damage(Path file, long bytes) throws IOException {
        FileSystem files = file.getFileSystem();
        if (!files.exists(file)) {
            return Optional.of(file.getPath() + " is missing");
        }
        long found = files.getFileStatus(file).getLen();
        return found >= bytes
                ? Optional.empty()
                : Optional.of("%s has %d of its %d bytes".formatted(file.getPath(), found, bytes));
    }
}
