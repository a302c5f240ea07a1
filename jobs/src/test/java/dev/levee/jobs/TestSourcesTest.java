package dev.levee.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What tests of all modules must not do. */
class TestSourcesTest {
    /** A machine may be busy, so a test must neither read a clock nor sleep. */
    private static final Pattern TIMED =
            Pattern.compile(
                    "System\\.nanoTime\\(|System\\.currentTimeMillis\\(|assertTimeout"
                            + "|Thread\\.sleep\\(|MILLISECONDS\\.sleep\\(|SECONDS\\.sleep\\(");

    private static final Pattern ABSTRACT = Pattern.compile("abstract class (\\w+Test) ");

    private static final Path OWN =
            Path.of("jobs/src/test/java/dev/levee/jobs/TestSourcesTest.java");

    @Test
    void noTestReadsAClock() throws IOException {
        Path home = LeveeHome.find().directory().toRealPath();
        assertThat(
                        TreeFiles.ending(home, "Test.java").stream()
                                .filter(file -> !home.relativize(file).equals(OWN))
                                .flatMap(TestSourcesTest::lines)
                                .filter(line -> TIMED.matcher(line).find()))
                .isEmpty();
    }

    /**
     * An abstract class of tests runs only as part of another, so one that is not would be lost.
     */
    @Test
    void everyAbstractTestIsExtended() throws IOException {
        String sources =
                TreeFiles.ending(LeveeHome.find().directory().toRealPath(), "Test.java").stream()
                        .flatMap(TestSourcesTest::lines)
                        .collect(Collectors.joining("\n"));
        assertThat(ABSTRACT.matcher(sources).results().map(each -> each.group(1)))
                .isNotEmpty()
                .allMatch(name -> sources.contains(" extends " + name + " {"));
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
