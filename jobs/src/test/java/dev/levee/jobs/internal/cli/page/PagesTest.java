package dev.levee.jobs.internal.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.jobs.internal.cli.CommandLineRun;
import dev.levee.jobs.internal.pages.Page;
import dev.levee.jobs.internal.pages.Pages;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every rule, pre-aggregation and attack has a page, in one shape, whose example is true. */
class PagesTest {
    /** A fenced block: its language, its file name if it has one, its lines. */
    private static final Pattern BLOCK =
            Pattern.compile("^```(\\w*) ?(\\S*)\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    private static final Pattern ARGUMENT = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    @TempDir Path directory;

    static List<String> rules() {
        return Rules.names();
    }

    static List<String> preAggregations() {
        return Rules.preAggregations();
    }

    static List<String> attacks() {
        return Attacks.names();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void rulesHavePages(String name) throws IOException {
        Page page = page(Pages.RULES, name);
        assertThat(page.facts())
                .containsKeys("Limit", "Breakdown point", "Cost", "Variance condition", "Source");
        assertThat(page.fact("Limit")).isEqualTo(Rules.parse(name).limit());
        assertThat(page.fact("Variance condition").equals("not published"))
                .isEqualTo(Rules.parse(name).varianceFactor(11, 2).isEmpty());
        checkExamples(page);
    }

    @ParameterizedTest
    @MethodSource("preAggregations")
    void preAggregationsHavePages(String name) throws IOException {
        Page page = page(Pages.PRE_AGGREGATIONS, name);
        assertThat(page.facts()).containsKeys("Limit", "Cost", "Source");
        checkExamples(page);
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void attacksHavePages(String name) throws IOException {
        Page page = page(Pages.ATTACKS, name);
        assertThat(page.facts()).containsKeys("Sees", "Source");
        if (!Attacks.parse(name).silent() && !Attacks.parse(name).flipsLabels()) {
            checkExamples(page);
        }
    }

    private static Page page(Pages pages, String name) {
        assertThat(pages.of(name)).as("page about " + name).isPresent();
        Page page = pages.of(name).get();
        assertThat(page.text()).startsWith("# " + name + "\n");
        assertThat(page.summary()).endsWith(".");
        assertThat(page.text().lines().filter(line -> line.startsWith("## ")))
                .contains("## Definition", "## When to use it", "## Example");
        return page;
    }

    /** Runs the page's commands on its rows; each text block is what the last one prints. */
    private void checkExamples(Page page) throws IOException {
        String printed = null;
        int checked = 0;
        for (MatchResult block : BLOCK.matcher(page.text()).results().toList()) {
            String content = block.group(3);
            if (block.group(1).equals("csv")) {
                String file = block.group(2).isEmpty() ? "gradients.csv" : block.group(2);
                Files.writeString(directory.resolve(file), content);
            } else if (content.startsWith("$ levee ")) {
                CommandLineRun run = CommandLineRun.of(arguments(content.substring(8)));
                assertThat(run.code()).as(run.err()).isZero();
                printed = run.out();
            } else if (block.group(1).equals("text") && printed != null) {
                assertThat(printed).as(page.name()).isEqualTo(content);
                printed = null;
                checked++;
            }
        }
        assertThat(checked).as("checked examples of " + page.name()).isPositive();
    }

    private String[] arguments(String line) {
        List<String> arguments = new ArrayList<>();
        Matcher matcher = ARGUMENT.matcher(line.strip());
        while (matcher.find()) {
            String argument = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            boolean file = argument.endsWith(".csv") || argument.endsWith(".npy");
            arguments.add(file ? directory.resolve(argument).toString() : argument);
        }
        return arguments.toArray(String[]::new);
    }
}
