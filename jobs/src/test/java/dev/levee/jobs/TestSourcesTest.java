package dev.levee.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cluster.Home;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What no test of any module does. */
class TestSourcesTest {
    /** A machine may be busy, so a test must neither read a clock nor sleep. */
    private static final Pattern TIMED =
            Pattern.compile(
                    "System\\.nanoTime\\(|System\\.currentTimeMillis\\(|assertTimeout"
                            + "|Thread\\.sleep\\(|MILLISECONDS\\.sleep\\(|SECONDS\\.sleep\\(");

    private static final Path OWN =
            Path.of("jobs/src/test/java/dev/levee/jobs/TestSourcesTest.java");

    @Test
    void noTestReadsAClock() throws IOException {
        Path home = Home.find().directory().toRealPath();
        assertThat(
                        tests(home).stream()
                                .filter(file -> !home.relativize(file).equals(OWN))
                                .flatMap(TestSourcesTest::lines)
                                .filter(line -> TIMED.matcher(line).find()))
                .isEmpty();
    }

    private static List<Path> tests(Path home) throws IOException {
        List<Path> tests = new ArrayList<>();
        Files.walkFileTree(
                home,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) {
                        // Builds of other modules come and go in there.
                        return Set.of("target", ".git").contains(folder.getFileName().toString())
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (file.getFileName().toString().endsWith("Test.java")) {
                            tests.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return tests;
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .map(line -> file.getFileName() + ": " + line.strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
