package dev.levee.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.jobs.internal.pages.Page;
import dev.levee.jobs.internal.pages.Pages;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Generated pages of docs/reference are up to date. */
class ReferencePagesTest {
    private static final Pattern DEFAULT =
            Pattern.compile(" @\\|faint \\[(.*)]\\|@$| \\(default: ([^()]*)\\)");

    @Test
    void optionsAreThoseOfTheCommandLine() throws IOException {
        StringBuilder page =
                new StringBuilder(
                        """
                        # Options

                        Every command also has `--help`. This page is generated from the code.

                        """);
        List<CommandLine> commands = commands(LeveeCommand.commandLine());
        for (CommandLine command : commands) {
            String name = command.getCommandSpec().qualifiedName();
            page.append("- [`%s`](#%s)\n".formatted(name, anchor(name)));
        }
        Map<String, String> known = new HashMap<>();
        for (CommandLine command : commands) {
            page.append("\n## `").append(command.getCommandSpec().qualifiedName()).append("`\n");
            page.append("\n").append(description(command)).append("\n");
            append(page, command.getCommandSpec(), known);
        }
        compare("options.md", page);
    }

    /** Those that do something, in the order of the help text. */
    private static List<CommandLine> commands(CommandLine line) {
        List<CommandLine> commands = new ArrayList<>();
        for (CommandLine each : line.getSubcommands().values()) {
            if (each.getSubcommands().isEmpty()) {
                commands.add(each);
            } else {
                commands.addAll(commands(each));
            }
        }
        return commands;
    }

    private static String description(CommandLine command) {
        return text(String.join(" ", command.getCommandSpec().usageMessage().description()));
    }

    /**
     * Tables of the options that no command before has, by group, then the names of the others.
     *
     * @param known by row, the command that had it first
     */
    private static void append(StringBuilder page, CommandSpec command, Map<String, String> known) {
        List<ArgSpec> own = new ArrayList<>(command.positionalParameters());
        command.options().stream()
                .filter(option -> option.group() == null)
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .forEach(own::add);
        command.argGroups().stream()
                .filter(group -> group.heading() == null)
                .forEach(group -> own.addAll(group.args()));
        Map<String, List<String>> others = new TreeMap<>();
        page.append(table("", command, own, known, others));
        command.argGroups().stream()
                .filter(group -> group.heading() != null)
                .forEach(
                        group -> {
                            String heading = "\n### " + group.heading().replace("%n", "") + "\n";
                            List<ArgSpec> arguments = List.copyOf(group.args());
                            page.append(table(heading, command, arguments, known, others));
                        });
        others.forEach(
                (name, options) ->
                        page.append("\nAs in [`%s`](#%s): ".formatted(name, anchor(name)))
                                .append(String.join(", ", options))
                                .append(".\n"));
    }

    private static String table(
            String heading,
            CommandSpec command,
            List<ArgSpec> arguments,
            Map<String, String> known,
            Map<String, List<String>> others) {
        StringBuilder rows = new StringBuilder();
        for (ArgSpec each : arguments) {
            String row = row(each);
            String other = known.putIfAbsent(row, command.qualifiedName());
            if (other == null) {
                rows.append(row);
            } else if (!other.equals(command.qualifiedName())) {
                others.computeIfAbsent(other, name -> new ArrayList<>())
                        .add("`" + name(each).replaceFirst("=.*", "") + "`");
            }
        }
        return rows.isEmpty()
                ? ""
                : heading + "\n| Option | Default | Meaning |\n|---|---|---|\n" + rows;
    }

    private static String row(ArgSpec argument) {
        String meaning = String.join(" ", argument.description());
        Matcher fallback = DEFAULT.matcher(meaning);
        String otherwise = "";
        if (fallback.find()) {
            otherwise = code(fallback.group(fallback.group(1) == null ? 2 : 1));
        }
        return "| `%s` | %s | %s |\n"
                .formatted(name(argument), otherwise, text(fallback.replaceAll("")));
    }

    private static String anchor(String name) {
        return name.replace(' ', '-');
    }

    private static String name(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option)) {
            return argument.paramLabel();
        }
        String name = String.join("`, `", option.names());
        if (option.negatable()) {
            name = name.replaceFirst("--", "--[no-]");
        }
        return option.arity().max() == 0 ? name : name + "=" + option.paramLabel();
    }

    private static String code(String value) {
        return value.isBlank() ? "" : "`" + value.replace("|", "\\|") + "`";
    }

    /** As Markdown, in which nothing is HTML. */
    private static String text(String help) {
        return help.replace("%%", "%")
                .replace("%n", " ")
                .replace("|", "\\|")
                .replace("<", "&lt;")
                .replace("*", "\\*")
                .strip();
    }

    @Test
    void tablesSayWhatThePagesSay() throws IOException {
        StringBuilder page =
                new StringBuilder(
                        """
                        # Rules, pre-aggregations and attacks

                        `--aggregator` takes a rule, or pre-aggregations and a rule with `|` between them; `--attack` takes an attack. `levee rules explain NAME` prints a page. n is the number of rows, and f the number of Byzantine ones. This table is generated from the pages.

                        ## Rules

                        | Rule | Limit | What it is |
                        |---|---|---|
                        """);
        for (String name : Rules.names()) {
            row(page, Pages.RULES, "rules", name, "Limit");
        }
        page.append(
                """

                ## Pre-aggregations

                | Pre-aggregation | Limit | What it is |
                |---|---|---|
                """);
        for (String name : Rules.preAggregations()) {
            row(page, Pages.PRE_AGGREGATIONS, "pre-aggregations", name, "Limit");
        }
        page.append(
                """

                ## Attacks

                | Attack | Sees | What it is |
                |---|---|---|
                """);
        for (String name : Attacks.names()) {
            row(page, Pages.ATTACKS, "attacks", name, "Sees");
        }
        compare("rules.md", page);
    }

    private static void row(
            StringBuilder page, Pages pages, String folder, String name, String fact) {
        Page about = pages.of(name).orElseThrow();
        page.append("| [%s](%s/%s.md) | ".formatted(name, folder, name));
        page.append(about.fact(fact).replace("|", "\\|")).append(" | ");
        page.append(about.summary().replace("|", "\\|")).append(" |\n");
    }

    private static void compare(String name, StringBuilder page) throws IOException {
        Path home = LeveeHome.find().directory();
        Path made = Files.writeString(home.resolve("jobs/target").resolve(name), page);
        Path kept = home.resolve("docs/reference").resolve(name);
        assertThat(Files.exists(kept) ? Files.readString(kept) : "")
                .as(
                        "if the change is meant: cp %s %s",
                        home.relativize(made), home.relativize(kept))
                .isEqualTo(page.toString());
    }
}
