package dev.levee.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What users run cannot change unseen: the build's dependencies are those of docs/dependencies.txt,
 * which says when. Needs no network.
 */
class DependenciesTest {
    private static final Pattern RESOLVED =
            Pattern.compile(
                    "^ +([\\w.-]+:[\\w.-]+):jar:(?:[\\w.-]+:)?([\\w.-]+):(?:compile|provided)");
    private static final Pattern DATE = Pattern.compile("# As of (\\d{4}-\\d{2}-\\d{2})\\.");

    private static Path home() {
        return LeveeHome.find().directory();
    }

    /** {@code group:artifact:version}, once for several classifiers. */
    private static List<String> resolved() throws IOException {
        try (var lines = Files.lines(home().resolve("jobs/target/dependencies.txt"))) {
            return lines.flatMap(line -> RESOLVED.matcher(line).results())
                    .map((MatchResult each) -> each.group(1) + ":" + each.group(2))
                    .distinct()
                    .sorted()
                    .toList();
        }
    }

    @Test
    void theBuildHasTheDependenciesThatAreListed() throws IOException {
        List<String> listed =
                Files.readAllLines(home().resolve("docs/dependencies.txt")).stream()
                        .filter(line -> !line.startsWith("#") && !line.isBlank())
                        .toList();
        assertThat(resolved())
                .as("after a review, write these and its date to docs/dependencies.txt")
                .isNotEmpty()
                .containsExactlyElementsOf(listed);
    }

    @Test
    void theListHasADate() throws IOException {
        String list = Files.readString(home().resolve("docs/dependencies.txt"));
        assertThat(DATE.matcher(list).results().map(each -> LocalDate.parse(each.group(1))))
                .hasSize(1);
    }
}
