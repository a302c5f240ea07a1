package dev.levee.learners.internal.djl.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class LibraryFolderTest {
    private static final String LIBRARY = System.mapLibraryName("torch_cpu");

    @TempDir Path torch;

    private LibraryFolder folder() throws IOException {
        return new LibraryFolder(Files.createDirectories(torch.resolve("lib")));
    }

    private void refused(String why) throws IOException {
        assertThatIllegalStateException()
                .isThrownBy(folder()::check)
                .withMessage(
                        "PYTORCH_LIBRARY_PATH is %s, which %s: set it to the folder torch/lib of"
                                + " PyTorch 2.7.1",
                        torch.resolve("lib"), why);
    }

    @Test
    void needsTheLibrariesOfTheVersionThatDjlIsCompiledFor() throws IOException {
        refused("has no " + LIBRARY);
        Files.createFile(folder().path().resolve(LIBRARY));
        assertThatCode(folder()::check).doesNotThrowAnyException();
        Path version = torch.resolve("version.py");
        Files.writeString(version, "__version__ = '1.13.0a0'\ndebug = False\n");
        refused("is PyTorch 1.13.0a0");
        Files.writeString(version, "__version__ = '2.7.1+cu128'\ndebug = False\n");
        assertThatCode(folder()::check).doesNotThrowAnyException();
        assertThat(folder().words())
                .isEqualTo("PyTorch 2.7.1+cu128 of PYTORCH_LIBRARY_PATH: " + folder().path());
        Files.writeString(torch.resolve("build-version"), "2.7.10+cpu\n");
        refused("is PyTorch 2.7.10+cpu");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aLibraryThatIsNamedByItsVersionHasThatVersion() throws IOException {
        Path named = Files.createFile(torch.resolve("libtorch_cpu.so.1.13.0"));
        Path library = folder().path().resolve(LIBRARY);
        Files.createSymbolicLink(library, named);
        refused("is PyTorch 1.13.0");
        Files.delete(library);
        Files.createSymbolicLink(library, Files.createFile(torch.resolve("libtorch_cpu.so.2.7.1")));
        assertThatCode(folder()::check).doesNotThrowAnyException();
    }
}
