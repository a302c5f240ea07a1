package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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
        return Checkpoints.find(given.toString(), "median", only);
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
                .hasMessage("--resume " + incomplete + " has no completed checkpoint of median");
        Path one = checkpoint("one/chk-1", 1000);
        assertThatThrownBy(() -> find(one, false))
                .hasMessage(
                        "--resume "
                                + one
                                + " is the checkpoint of one rule, but several are given with"
                                + " --aggregator; name the directory with the checkpoints of all");
    }
}
