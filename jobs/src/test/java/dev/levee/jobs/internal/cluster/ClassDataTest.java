package dev.levee.jobs.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

class ClassDataTest {
    /** A process that ends at once, or with its input. */
    static final class Main {
        private Main() {}

        public static void main(String[] args) throws IOException {
            if (args.length > 0) {
                System.in.read();
            }
        }
    }

    private static final String MAIN = Main.class.getName();

    @TempDir Path directory;

    @Test
    void theSecondProcessMapsTheClassesOfTheFirst() throws Exception {
        Path jar = jar();
        assertThat(run(jar)).doesNotContain("shared objects file (top)");
        assertThat(archives()).hasSize(1);
        assertThat(run(jar)).contains(MAIN + " source: shared objects file (top)");
    }

    @Test
    void anotherJarNeedsAnotherArchive() throws Exception {
        Path jar = jar();
        run(jar);
        List<Path> before = archives();
        long archived = Files.getLastModifiedTime(before.get(0)).toMillis();
        Files.setLastModifiedTime(jar, FileTime.fromMillis(archived + 1000));
        assertThat(run(jar)).doesNotContain("shared objects file (top)");
        assertThat(archives()).hasSize(1).doesNotContainAnyElementsOf(before);
    }

    @Test
    void anArchiveThatWasCutOffIsMadeAnew() throws Exception {
        Path jar = jar();
        run(jar);
        Path archive = archives().get(0);
        Files.delete(archive);
        Files.write(archive, new byte[5000]);
        assertThat(run(jar)).doesNotContain("shared objects file (top)");
        assertThat(run(jar)).contains("shared objects file (top)");
    }

    @Test
    void onlyOneProcessAtATimeLeavesAnArchive() throws Exception {
        Path jar = jar();
        Process first = start(jar.toString(), "wait");
        run(jar);
        assertThat(archives()).isEmpty();
        first.getOutputStream().close();
        end(first);
        assertThat(archives()).hasSize(1);
    }

    @Test
    void anotherOneLeavesTheArchiveOfAProcessThatWasKilled() throws Exception {
        Path jar = jar();
        Process first = start(jar.toString(), "wait");
        first.destroyForcibly().waitFor();
        assertThat(archives()).isEmpty();
        run(jar);
        assertThat(archives()).hasSize(1);
    }

    @Test
    void aJarAtTheEndOfTheClassPathNeedsNoArchiveOfItsOwn() throws Exception {
        Path jar = jar();
        run(jar);
        Path more = Files.copy(jar, directory.resolve("more.jar"));
        assertThat(end(start(jar + File.pathSeparator + more)))
                .contains(MAIN + " source: shared objects file (top)");
        assertThat(archives()).hasSize(1);
    }

    @Test
    void withoutAPlaceForArchivesNothingIsShared() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assertThat(ClassData.flags(file, MAIN, jar().toString())).isEmpty();
    }

    private Path jar() throws IOException {
        Path jar = directory.resolve("main.jar");
        String entry = MAIN.replace('.', '/') + ".class";
        try (InputStream in = Main.class.getResourceAsStream("/" + entry);
                JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry(entry));
            in.transferTo(out);
            out.closeEntry();
        }
        return jar;
    }

    private String run(Path jar) throws IOException, InterruptedException {
        return end(start(jar.toString()));
    }

    private static String end(Process process) throws IOException, InterruptedException {
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private Process start(String classPath, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString()));
        List<String> sharing = ClassData.flags(directory.resolve("archives"), MAIN, classPath);
        command.addAll(sharing);
        command.addAll(List.of("-Xlog:class+load", "-cp", classPath, MAIN));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        ClassData.started(sharing, process.toHandle());
        return process;
    }

    private List<Path> archives() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("archives"))) {
            return files.filter(file -> file.toString().endsWith(".jsa")).toList();
        }
    }
}
