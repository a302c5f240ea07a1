package dev.levee.jobs.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

class FileTreeTest {
    @TempDir Path directory;

    @Test
    void aTreeThatIsNotThereNeedsNoDeletion() {
        assertThatCode(() -> FileTree.delete(directory.resolve("none"))).doesNotThrowAnyException();
    }

    @Test
    void twoDeleteTheSameTreeAtOnce() throws IOException {
        Path tree = directory.resolve("tree");
        for (int index = 0; index < 2_000; index++) {
            Path file = tree.resolve("chk-" + index % 200 + "/" + index);
            Files.createDirectories(file.getParent());
            Files.createFile(file);
        }
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> delete(tree));
        delete(tree);
        other.join();
        assertThat(tree).doesNotExist();
    }

    @Test
    void whatIsCreatedMeanwhileIsDeletedToo() throws IOException {
        Path tree = directory.resolve("tree");
        List<Path> folders = new ArrayList<>();
        for (int index = 0; index < 200; index++) {
            Path folder = Files.createDirectories(tree.resolve("chk-" + index));
            folders.add(folder);
            for (int file = 0; file < 20; file++) {
                Files.createFile(folder.resolve("" + file));
            }
        }
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> createAgain(folders));
        FileTree.delete(tree);
        other.join();
        assertThat(tree).doesNotExist();
    }

    /** Creates the first folder again that is gone, unless the whole tree is. */
    private static void createAgain(List<Path> folders) {
        while (true) {
            for (Path folder : folders) {
                if (!Files.exists(folder)) {
                    try {
                        Files.createDirectory(folder);
                    } catch (IOException e) {
                        assertThat(folder.getParent()).doesNotExist();
                    }
                    return;
                }
            }
        }
    }

    @Test
    void whatALinkLeadsToStays() throws IOException {
        Path kept = Files.createDirectories(directory.resolve("kept"));
        Files.createFile(kept.resolve("file"));
        Path tree = Files.createDirectories(directory.resolve("tree"));
        Files.createSymbolicLink(tree.resolve("link"), kept);
        FileTree.delete(tree);
        assertThat(tree).doesNotExist();
        assertThat(kept.resolve("file")).exists();
    }

    private static void delete(Path tree) {
        try {
            FileTree.delete(tree);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }
}
