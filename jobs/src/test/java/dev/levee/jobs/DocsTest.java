package dev.levee.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.operators.rounds.fault.Rejection;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Links of pages lead somewhere; pages are short; options and classes that they name exist. */
class DocsTest {
    private static final int MOST_BYTES = 15 * 1024;
    private static final Pattern FENCED =
            Pattern.compile("^ *```.*?^ *```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("`[^`\\n]+`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern SIDEBAR = Pattern.compile("page\\('[^']*', '/([^'#]*)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z0-9-]+");
    private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z]\\w*)(?:\\.(\\w+))*`");

    private static final Pattern METRIC = Pattern.compile("(?:gauge|counter)\\(\\s*\"(\\w+)\"");

    /** Of the launcher, the benchmarks, Java and other programs. */
    private static final Set<String> OTHER_OPTIONS =
            Set.of(
                    "--quick",
                    "--minutes",
                    "--policies",
                    "--from",
                    "--add-opens",
                    "--add-modules",
                    "--clock",
                    "--data",
                    "--release",
                    "--sys-prefix",
                    "--system-site-packages",
                    "--to");

    private static final Path HOME = LeveeHome.find().directory();

    /** Relative to the top of the tree. */
    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String name :
                List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs")) {
            pages.addAll(TreeFiles.ending(HOME.resolve(name), ".md"));
        }
        for (String name : List.of("python", "examples", "k8s/manifests")) {
            pages.addAll(TreeFiles.ending(HOME.resolve(name), "README.md"));
        }
        return pages.stream().map(HOME::relativize).toList();
    }

    private static String read(Path page) throws IOException {
        return Files.readString(HOME.resolve(page));
    }

    private static String withoutExamples(Path page) throws IOException {
        return FENCED.matcher(read(page)).replaceAll("");
    }

    @Test
    void everyLinkLeadsToAFileAndAHeading() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path page : pages()) {
            String text = CODE.matcher(withoutExamples(page)).replaceAll("");
            for (MatchResult link : LINK.matcher(text).results().toList()) {
                String target = link.group(1);
                if (!target.matches("[a-z]+:.*") && !exists(page, target)) {
                    dead.add(page + ": " + target);
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    /** Pages of rules, attacks and algorithms, and old figures, have an overview there. */
    @Test
    void theSitesSidebarLeadsToEachPage() throws IOException {
        Set<String> linked =
                SIDEBAR.matcher(read(Path.of("site/.vitepress/config.mjs")))
                        .results()
                        .map(link -> link.group(1).replaceFirst("(^|/)$", "$1README"))
                        .filter(link -> !link.matches("README|docs/history/README"))
                        .collect(Collectors.toSet());
        assertThat(linked)
                .containsExactlyInAnyOrderElementsOf(
                        pages().stream()
                                .map(page -> page.toString().replace(".md", ""))
                                .filter(
                                        page ->
                                                !page.matches(
                                                        "README|(examples|k8s)/.*"
                                                                + "|docs/(reference/.*/|history/).*"))
                                .toList());
    }

    private static boolean exists(Path page, String target) throws IOException {
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        return Files.exists(HOME.resolve(file))
                && (parts.length == 1 || anchors(file).contains(parts[1]));
    }

    /** As GitHub makes them of headings. */
    private static Set<String> anchors(Path page) throws IOException {
        return HEADING.matcher(withoutExamples(page))
                .results()
                .map(heading -> heading.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"))
                .map(
                        heading ->
                                heading.toLowerCase(Locale.ROOT)
                                        .replaceAll("[^\\p{L}\\p{N} _-]", ""))
                .map(heading -> heading.strip().replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void aPageIsReadInOneSitting() throws IOException {
        for (Path page : pages()) {
            boolean mayBeLong =
                    page.startsWith("docs/reference") || page.startsWith("docs/history");
            if (page.startsWith("docs") && !mayBeLong) {
                assertThat(Files.size(HOME.resolve(page)))
                        .as(page + " in bytes")
                        .isLessThanOrEqualTo(MOST_BYTES);
            }
        }
        assertThat(Files.size(HOME.resolve("README.md"))).isLessThan(5_000);
    }

    @Test
    void everyOptionThatAPageNamesExists() throws IOException {
        Set<String> options = new HashSet<>(OTHER_OPTIONS);
        collect(LeveeCommand.commandLine(), options);
        Set<String> unknown = new TreeSet<>();
        for (Path page : pages()) {
            if (page.startsWith("docs") || page.equals(Path.of("README.md"))) {
                OPTION.matcher(read(page))
                        .results()
                        .map(MatchResult::group)
                        .filter(option -> !options.contains(option))
                        .forEach(option -> unknown.add(page + ": " + option));
            }
        }
        assertThat(unknown).isEmpty();
    }

    private static void collect(CommandLine line, Set<String> options) {
        options.addAll(line.getCommandSpec().optionsMap().keySet());
        options.addAll(line.getCommandSpec().negatedOptionsMap().keySet());
        line.getSubcommands().values().forEach(each -> collect(each, options));
    }

    @Test
    void everyClassAndMemberThatArchitectureNamesExists() throws IOException {
        Map<String, List<Path>> classes =
                TreeFiles.ending(HOME, ".java").stream()
                        .collect(
                                Collectors.groupingBy(
                                        file ->
                                                file.getFileName()
                                                        .toString()
                                                        .replace(".java", "")));
        classes.put("LogAppendTime", List.of(HOME.resolve("pom.xml"))); // Kafka's
        Set<String> unknown = new TreeSet<>();
        for (Path page : pages()) {
            if (page.startsWith("docs/architecture") || page.endsWith("architecture.md")) {
                for (MatchResult name : CLASS.matcher(withoutExamples(page)).results().toList()) {
                    if (!has(classes.getOrDefault(name.group(1), List.of()), name.group(2))) {
                        unknown.add(page + ": " + name.group());
                    }
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void thePageOfMetricsHasEveryMetricAndReason() throws IOException {
        Set<String> names =
                Arrays.stream(Rejection.values())
                        .map(reason -> reason.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.toCollection(TreeSet::new));
        for (Path file : TreeFiles.ending(HOME.resolve("operators/flink/src/main/java"), ".java")) {
            if (file.toString().contains("/internal/")) {
                METRIC.matcher(Files.readString(file))
                        .results()
                        .forEach(each -> names.add(each.group(1)));
            }
        }
        String page = read(Path.of("docs/reference/metrics.md"));
        assertThat(names).contains("round", "late").allMatch(name -> page.contains(name + "`"));
    }

    @Test
    void aReaderFollowsEachWayThroughAtMostTenFiles() throws IOException {
        String[] ways = read(Path.of("docs/architecture.md")).split("\n### The path of ");
        assertThat(ways).hasSize(4);
        for (String way : Arrays.asList(ways).subList(1, ways.length)) {
            assertThat(CLASS.matcher(way).results().map(name -> name.group(1)).distinct())
                    .as(way.lines().findFirst().orElseThrow())
                    .hasSizeBetween(3, 10);
        }
    }

    private static boolean has(List<Path> files, String member) throws IOException {
        for (Path file : files) {
            if (member == null || Files.readString(file).contains(member)) {
                return true;
            }
        }
        return false;
    }
}
