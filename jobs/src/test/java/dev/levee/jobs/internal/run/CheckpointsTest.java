package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.estimation.RepetitionEstimate;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.Tracking;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializerSnapshot;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;

class CheckpointsTest {
    @TempDir Path directory;

    /** A checkpoint directory, complete if it was written at some time. */
    private Path checkpoint(String path, long written) throws IOException {
        Path checkpoint = Files.createDirectories(directory.resolve(path));
        if (written > 0) {
            Path metadata = Files.writeString(checkpoint.resolve("_metadata"), "any");
            Files.setLastModifiedTime(metadata, FileTime.fromMillis(written));
        }
        return checkpoint;
    }

    private static String find(Path given, boolean only) throws IOException {
        return Checkpoints.find(given.toString(), "median", List.of(), only);
    }

    private static String uri(Path path) {
        return "file:" + path;
    }

    @Test
    void takesASavepointAsItIs() throws IOException {
        Path savepoint = checkpoint("savepoint-1", 1000);
        assertThat(find(savepoint, true)).isEqualTo(uri(savepoint));
    }

    @Test
    void findsTheNewestCompleteOneOfTheRun() throws IOException {
        checkpoint("out/checkpoints/median/a/chk-7", 2000);
        Path newest = checkpoint("out/checkpoints/median/b/chk-2", 3000);
        checkpoint("out/checkpoints/median/b/chk-3", 0);
        checkpoint("out/checkpoints/average/c/chk-9", 9000);
        for (boolean only : new boolean[] {true, false}) {
            assertThat(find(directory.resolve("out"), only)).isEqualTo(uri(newest));
            assertThat(find(directory.resolve("out/checkpoints"), only)).isEqualTo(uri(newest));
        }
        assertThat(find(directory.resolve("out/checkpoints/median/a"), true))
                .isEqualTo(uri(directory.resolve("out/checkpoints/median/a/chk-7")));
        String all = uri(directory.resolve("out/checkpoints"));
        assertThat(Checkpoints.ofAll(all, List.of("median", "average"))).isTrue();
        assertThat(Checkpoints.ofAll(all, List.of("median", "krum"))).isFalse();
    }

    @Test
    void findsTheNewestOfTheRunsOwnJobsBeforeThoseOfOtherJobs() throws IOException {
        checkpoint("shared/median/a/chk-1", 1000);
        Path own = checkpoint("shared/median/a/chk-2", 2000);
        Path newest = checkpoint("shared/median/b/chk-1", 3000);
        String shared = directory.resolve("shared").toString();
        for (boolean only : new boolean[] {true, false}) {
            assertThat(Checkpoints.find(shared, "median", List.of("c", "a"), only))
                    .isEqualTo(uri(own));
            assertThat(Checkpoints.find(shared, "median", List.of("c"), only))
                    .isEqualTo(uri(newest));
            assertThat(Checkpoints.find(newest.toString(), "median", List.of("a"), true))
                    .isEqualTo(uri(newest));
        }
    }

    @Test
    void whatAFullDiskHasTakenNothingOfIsNoCheckpoint() throws IOException {
        Path good = checkpoint("out/checkpoints/median/a/chk-1", 1000);
        Files.createFile(checkpoint("out/checkpoints/median/a/chk-2", 0).resolve("_metadata"));
        assertThat(find(directory.resolve("out"), true)).isEqualTo(uri(good));
    }

    @Test
    void aJobThatIsOverDeletesItsOwnAndNothingElse() throws IOException {
        Path checkpoints = directory.resolve("out/checkpoints");
        checkpoint("out/checkpoints/median/a/chk-1", 1000);
        Path other = checkpoint("out/checkpoints/median/b/chk-1", 1000);
        Path foreign = Files.writeString(checkpoints.resolve("thesis.txt"), "years");

        Checkpoints.delete(checkpoints, "median", "a");
        assertThat(checkpoints.resolve("median/a")).doesNotExist();
        assertThat(other).exists();
        Checkpoints.delete(checkpoints, "median", "b");
        assertThat(checkpoints.resolve("median")).doesNotExist();
        assertThat(foreign).exists();
        Files.delete(foreign);
        Checkpoints.delete(checkpoints, "median", "c");
        assertThat(checkpoints).doesNotExist();
        assertThat(directory.resolve("out")).exists();
    }

    @Test
    void saysWhatIsNotThere() throws IOException {
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> find(missing, true))
                .hasMessage("--resume " + missing + " does not exist");
        checkpoint("incomplete/chk-1", 0);
        Path incomplete = directory.resolve("incomplete");
        assertThatThrownBy(() -> find(incomplete, true))
                .hasMessage("--resume " + incomplete + " has no completed checkpoint");
        assertThatThrownBy(() -> find(incomplete, false))
                .hasMessage("--resume " + incomplete + " has no completed checkpoint");
        checkpoint("out/checkpoints/average/a/chk-1", 1000);
        Path others = directory.resolve("out");
        assertThatThrownBy(() -> find(others, false))
                .hasMessage(
                        "--resume %s has no completed checkpoint of median: repeat the options of"
                                        .formatted(others)
                                + " the run, or name its output folder, which records them");
        Path one = checkpoint("one/chk-1", 1000);
        assertThatThrownBy(() -> find(one, false))
                .hasMessage(
                        "--resume "
                                + one
                                + " is the checkpoint of one rule, but several are given with"
                                + " --aggregator; name the directory with the checkpoints of all");
    }

    private Path real(String path, long written) throws IOException {
        return real(path, written, null);
    }

    /** A checkpoint as Flink writes it, with one operator and one file of state. */
    private Path real(String path, long written, String uid) throws IOException {
        Path checkpoint = checkpoint(path, written);
        Path state = Files.write(checkpoint.resolve("state"), new byte[200]);
        OperatorState operator = new OperatorState(null, uid, new OperatorID(1, 2), 1, 4);
        operator.putState(
                0,
                OperatorSubtaskState.builder()
                        .setManagedKeyedState(
                                new KeyGroupsStateHandle(
                                        new KeyGroupRangeOffsets(0, 3),
                                        new FileStateHandle(
                                                new org.apache.flink.core.fs.Path(state.toUri()),
                                                200)))
                        .build());
        Path metadata = checkpoint.resolve("_metadata");
        try (OutputStream out = Files.newOutputStream(metadata)) {
            org.apache.flink.runtime.checkpoint.Checkpoints.storeCheckpointMetadata(
                    new CheckpointMetadata(1, List.of(operator), List.of()), out);
        }
        Files.setLastModifiedTime(metadata, FileTime.fromMillis(written));
        return checkpoint;
    }

    /** The head of a file of keyed state whose one value has a serializer. */
    private static byte[] head(TypeSerializer<?> serializer) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(1 << 10);
        new KeyedBackendSerializationProxy<>(
                        IntSerializer.INSTANCE,
                        List.of(
                                new RegisteredKeyValueStateBackendMetaInfo<>(
                                                StateDescriptor.Type.VALUE,
                                                "shard",
                                                VoidNamespaceSerializer.INSTANCE,
                                                serializer)
                                        .snapshot()),
                        false)
                .write(out);
        // As long as the metadata says.
        return Arrays.copyOf(out.getCopyOfBuffer(), Math.max(200, out.length()));
    }

    /** Kryo would make an object of any class that the values name. */
    @Test
    void aCraftedOneLoadsNoClassThatLeveeDoesNotStore() throws IOException {
        Path savepoint = real("savepoint", 1000);
        Path state = savepoint.resolve("state");
        SerializerConfig config = new SerializerConfigImpl();
        Files.write(
                state, head(TypeInformation.of(RepetitionEstimate.class).createSerializer(config)));
        assertThat(Checkpoints.findSound(savepoint.toString(), "median", List.of(), true))
                .isEqualTo(uri(savepoint));
        // Estimates are keyed processes, which Flink gives timers.
        Files.write(
                state,
                head(
                        new TimerSerializer<>(
                                IntSerializer.INSTANCE, VoidNamespaceSerializer.INSTANCE)));
        assertThat(Checkpoints.findSound(savepoint.toString(), "median", List.of(), true))
                .isEqualTo(uri(savepoint));

        Files.write(state, head(new KryoSerializer<>(Object.class, config)));
        assertThatThrownBy(
                        () ->
                                Checkpoints.findSound(
                                        savepoint.toString(), "median", List.of(), true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "--resume %s: the checkpoint %s is damaged (%s names the class %s, which"
                                        .formatted(
                                                savepoint,
                                                savepoint,
                                                state,
                                                KryoSerializerSnapshot.class.getName())
                                + " Levee does not store); there is no older one next to it");

        // The same inside a serializer that is on the list.
        Files.write(state, head(new ListSerializer<>(new KryoSerializer<>(Object.class, config))));
        assertThatThrownBy(
                        () ->
                                Checkpoints.findSound(
                                        savepoint.toString(), "median", List.of(), true))
                .hasMessageContaining("names the class " + KryoSerializerSnapshot.class.getName());
    }

    @Test
    void oneOfAnotherRunIsRefusedBeforeTheRunChangesAnything() throws IOException {
        Path savepoint = real("savepoint", 1000, "0123abcd-recorder");
        RunPlan plan = ResumedPipelineTest.plan("resume=" + savepoint);
        assertThatThrownBy(plan::checkResume)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        uri(savepoint)
                                + " belongs to another run: use its settings (only --rounds may"
                                + " differ), or start over without --resume");
        for (String uid : new String[] {null, plan.trainings().get(0).runId() + "-recorder"}) {
            real("savepoint", 1000, uid);
            assertThatCode(plan::checkResume).doesNotThrowAnyException();
        }
        ResumedPipelineTest.plan("resume=" + savepoint, "rounds=7").checkResume();
    }

    @Test
    void aResumedRunKnowsItsEarlierJobsButNotThoseOfTheRunThatItReplaces() throws IOException {
        Path run = directory.resolve("run");
        String[] options = {"resume=" + directory.resolve("savepoint"), "output=" + run};
        RunPlan plan = ResumedPipelineTest.plan(options);
        assertThat(LeftFolder.earlierJobs(plan, 0)).isEmpty();
        String runId = plan.trainings().get(0).runId();
        new RunFiles(uri(run))
                .write(
                        RunRecords.unreachable(
                                uri(run) + "/checkpoints",
                                Tracking.NONE,
                                new RunRecord.Job(
                                        "average", "03", null, null, List.of("02", "01"))));
        real("run/checkpoints/average/03/chk-7", 3000, runId + "-recorder");
        real("run/checkpoints/average/02/chk-7", 2000, "0123abcd-recorder");
        assertThat(LeftFolder.earlierJobs(plan, 0)).containsExactly("03", "01");
        assertThat(LeftFolder.earlierJobs(ResumedPipelineTest.plan("output=" + run), 0)).isEmpty();
    }

    private static void truncate(Path file, int bytes) throws IOException {
        FileTime written = Files.getLastModifiedTime(file);
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), bytes));
        Files.setLastModifiedTime(file, written);
    }

    @Test
    void aDamagedOneNamesItsFileAndTheNextOlder() throws IOException {
        Path oldest = real("out/checkpoints/median/a/chk-1", 1000);
        Path older = real("out/checkpoints/median/a/chk-2", 2000);
        Path newest = real("out/checkpoints/median/a/chk-3", 3000);
        Path out = directory.resolve("out");
        assertThat(Checkpoints.findSound(out.toString(), "median", List.of(), true))
                .isEqualTo(uri(newest));

        truncate(newest.resolve("state"), 10);
        assertThatThrownBy(() -> Checkpoints.findSound(out.toString(), "median", List.of(), true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "--resume %s: the checkpoint %s is damaged (%s has 10 of its 200 bytes);"
                                        .formatted(out, newest, newest.resolve("state"))
                                + " the next older one is intact: --resume "
                                + older);

        Files.delete(older.resolve("state"));
        truncate(newest.resolve("_metadata"), 20);
        assertThatThrownBy(
                        () -> Checkpoints.findSound(newest.toString(), "median", List.of(), true))
                .hasMessage(
                        "--resume %s: the checkpoint %s is damaged (%s is cut short or was not"
                                        .formatted(newest, newest, newest.resolve("_metadata"))
                                + " written by Flink); the next older one is intact: --resume "
                                + oldest);

        Files.delete(oldest.resolve("_metadata"));
        assertThatThrownBy(() -> Checkpoints.findSound(older.toString(), "median", List.of(), true))
                .hasMessageEndingWith("state is missing); there is no older one next to it");
    }
}
