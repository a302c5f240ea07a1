package dev.levee.k8s.allocator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.k8s.allocator.JobStore;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class FileJobStoreTest extends JobStoreContract {
    @TempDir Path directory;
    private final List<FileJobStore> open = new ArrayList<>();

    private Path file() {
        return directory.resolve("below/store.json");
    }

    private FileJobStore open() throws IOException {
        FileJobStore store = FileJobStore.open(file());
        open.add(store);
        return store;
    }

    @Override
    protected JobStore empty() throws IOException {
        return open();
    }

    @AfterEach
    void close() throws IOException {
        for (FileJobStore store : open) {
            store.close();
        }
    }

    @Test
    void goesOnWhereTheLastOneStopped() throws IOException {
        FileJobStore first = open();
        first.save("a", RICH);
        first.saveScalingRounds(7);
        first.flush();
        first.save("lost", RICH); // never flushed
        first.close();
        FileJobStore second = open();
        assertThat(second.jobs()).containsExactly("a");
        assertThat(second.find("a")).contains(RICH);
        assertThat(second.scalingRounds()).isEqualTo(7);
    }

    @Test
    void aHalfWrittenReplacementIsNotRead() throws IOException {
        FileJobStore first = open();
        first.save("a", RICH);
        first.flush();
        first.close();
        Files.writeString(directory.resolve("below/.store.json.new"), "{\"vers");
        assertThat(open().find("a")).contains(RICH);
    }

    @Test
    void canBeReadByAPerson() throws IOException {
        FileJobStore store = open();
        store.save("a", RICH);
        store.flush();
        assertThat(Files.readString(file()))
                .isEqualTo(
                        """
                        {
                         "version" : 1,
                         "scalingRounds" : 0,
                         "measurements" : ["at","workers","localBatch","samplesPerSecond","computeUtilisation","memoryUtilisation","speed","nodes","passes"],
                         "jobs" : {
                          "a" : {
                           "scalings" : 3,
                           "batchCeiling" : 64,
                           "workerSeconds" : 1234.5,
                           "lastSeen" : "2026-01-02T03:04:05.678Z",
                           "lastWorkers" : 8,
                           "waitedSeconds" : 60.5,
                           "knownSeconds" : 300.25,
                           "jobSeconds" : 1200.0,
                           "idle" : "2026-01-02T03:03:05.678Z",
                           "waitedPause" : 3700.25,
                           "history" : [
                            ["2026-01-02T03:04:05.678Z",2,16,0.3333333333333333,0.5,null,1.0,1,1],
                            ["2026-01-02T03:06:05.678Z",8,32,1.0E-300,1.0,0.25,0.5,3,2]
                           ]
                          }
                         }
                        }
                        """);
    }

    @Test
    void onlyOneAllocatorHasIt() throws IOException {
        FileJobStore first = open();
        assertThatThrownBy(this::open)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "another allocator uses the store "
                                + file()
                                + "; end it, or use another store for this one");
        assertThat(FileJobStore.load(file())).isEqualTo(StoreContent.EMPTY);
        first.close();
        open();
    }

    @Test
    void aDirectoryThatCannotBeMadeIsASentence() throws IOException {
        Path inTheWay = Files.writeString(directory.resolve("file"), "");
        assertThatThrownBy(() -> FileJobStore.open(inTheWay.resolve("store.json")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("needs the directory " + inTheWay);
    }

    @Test
    void aStoreThatCannotBeWrittenKeepsTheOldFile() throws IOException {
        FileJobStore store = open();
        Files.createDirectories(directory.resolve("below/.store.json.new/in the way"));
        String before = Files.readString(file());
        store.save("a", RICH);
        assertThatThrownBy(store::flush)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot write the store " + file());
        assertThat(Files.readString(file())).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "rubbish|is not an allocator's store (Unrecognized token 'rubbish'",
                "[]|is not an allocator's store (there is no version)",
                "{}|is not an allocator's store (there is no version)",
                "{\"version\":1}|is not an allocator's store (there is no jobs)",
                "{\"version\":\"x\"}|is not an allocator's store (version is not a whole number)",
                "{\"version\":1,\"scalingRounds\":0,\"jobs\":{\"a\":7}}|is not an allocator's"
                        + " store (there is no history)",
                "{\"version\":1,\"scalingRounds\":0,\"jobs\":{\"a\":{\"history\":[[1]]}}}|is not"
                        + " an allocator's store (a measurement has 1 values)",
                "{\"version\":1,\"scalingRounds\":0,\"jobs\":{\"a\":{\"history\":[[1,2,3,4,5,6,7]]}}}|is"
                        + " not an allocator's store (Text '1' could not be parsed",
                "{\"version\":2}|is an allocator's store of version 2, this allocator reads"
                        + " version 1",
                "``|is not an allocator's store",
            })
    void rubbishIsOneSentenceAndStays(String text, String sentence) throws IOException {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), text);
        assertThatThrownBy(this::open)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(file() + " " + sentence)
                .hasMessageNotContaining("\n");
        assertThat(Files.readString(file())).isEqualTo(text);
        Files.delete(file());
        open(); // it is not locked
    }

    @Test
    void notTextIsRubbishToo() throws IOException {
        Files.createDirectories(file().getParent());
        Files.write(file(), new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThatThrownBy(this::open)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file() + " is not an allocator's store");
    }
}
