package dev.levee.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.operators.rounds.training.CountOrShare;

import org.junit.jupiter.api.Test;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The functions of the Python package that run a command are generated from the command line. */
class PythonCommandsTest {
    private static final int WIDTH = 120;
    private static final Pattern DEFAULT = Pattern.compile(" @\\|faint \\[(.*)]\\|@$");
    private static final String OUTPUT = "output";

    /** A parameter that no option has. */
    private record Own(String name, String type, String fallback, String help) {
        /** One without a default comes first, and needs no name in a call. */
        private boolean required() {
            return fallback.isEmpty();
        }
    }

    private static final Own SHOW =
            new Own(
                    "show",
                    "bool",
                    "True",
                    "Whether what the command says is printed while it runs; the result has it in"
                            + " said.");

    private static final List<Own> OWN_DATA =
            List.of(
                    new Own(
                            "data",
                            "Any",
                            "None",
                            "Samples, in the place of dataset: a pair of NumPy arrays or tensors"
                                    + " (X, y), where y of whole numbers or text are classes and y"
                                    + " of other numbers are targets; a Dataset of PyTorch; a data"
                                    + " frame of pandas with a column label or the labels last, or"
                                    + " a pair of a frame and the name of its column."),
                    new Own(
                            "test_data",
                            "Any",
                            "None",
                            "Samples to test on, of the same kind as data; a share of data is held"
                                    + " out otherwise."),
                    new Own(
                            "data_options",
                            "Optional[Mapping[str, Any]]",
                            "None",
                            "Options of the data set's format, such as {\"scale\": \"standard\"};"
                                    + " docs/reference/datasets.md lists those of npz, which arrays"
                                    + " become, and csv, which frames become."));

    private static final Own TRAINING =
            new Own(
                    "training",
                    "Optional[Mapping[str, Any]]",
                    "None",
                    "Options of train for the training of the last layers, such as {\"workers\":"
                            + " 5, \"aggregator\": \"krum\"}.");

    private static final Own GRID =
            new Own(
                    "grid",
                    "Union[PathLike, Mapping[str, Any]]",
                    "",
                    "A file of options, of which any may have several values; or these options as a"
                            + " dictionary, such as {\"aggregator\": [\"median\", \"krum\"],"
                            + " \"learning-rate\": [0.1, 0.5]}, where model is what it is in"
                            + " train, or a list of such.");

    private static final List<Own> GRID_AND_DATA =
            Stream.concat(Stream.of(GRID), OWN_DATA.stream()).toList();

    @Test
    void functionsHaveTheOptionsOfTheCommandLine() throws IOException {
        StringBuilder module =
                new StringBuilder(
                        """
                        \"""Commands as functions, with the options of the command line. PythonCommandsTest generates this file.\"""

                        from __future__ import annotations

                        from typing import Any, Literal, Mapping, Optional, Sequence, Union

                        from .launch import PathLike, launch
                        from .run import Run, Simulation, Study

                        """);
        Map<String, CommandSpec> commands =
                LeveeCommand.commandLine().getSubcommands().entrySet().stream()
                        .collect(
                                Collectors.toMap(
                                        Map.Entry::getKey,
                                        each -> each.getValue().getCommandSpec()));
        module.append(function(commands.get("train"), "Run", OWN_DATA));
        module.append(function(commands.get("federate"), "Run", OWN_DATA));
        module.append(function(commands.get("finetune"), "Run", List.of(TRAINING)));
        module.append(function(commands.get("study"), "Study", GRID_AND_DATA));
        module.append(function(commands.get("simulate"), "Simulation", List.of()));
        Path home = LeveeHome.find().directory();
        Path made = Files.writeString(home.resolve("jobs/target/commands.py"), module);
        Path kept = home.resolve("python/src/levee/commands.py");
        assertThat(Files.exists(kept) ? Files.readString(kept) : "")
                .as(
                        "if the change is meant: cp %s %s",
                        home.relativize(made), home.relativize(kept))
                .isEqualTo(module.toString());
    }

    private static String function(CommandSpec command, String result, List<Own> own) {
        List<OptionSpec> options =
                command.options().stream()
                        .filter(option -> !option.usageHelp() && !option.versionHelp())
                        .toList();
        StringBuilder text = new StringBuilder();
        text.append("\ndef %s(\n".formatted(command.name()));
        own.stream()
                .filter(Own::required)
                .forEach(each -> text.append("    %s: %s,\n".formatted(each.name(), each.type())));
        text.append("    *,\n");
        own.stream()
                .filter(each -> !each.required())
                .forEach(
                        each ->
                                text.append(
                                        "    %s: %s = %s,\n"
                                                .formatted(
                                                        each.name(),
                                                        each.type(),
                                                        each.fallback())));
        for (OptionSpec each : options) {
            String type = type(each);
            text.append("    %s: ".formatted(name(each)));
            text.append(type.equals("bool") ? "bool = False,\n" : type + " = None,\n");
        }
        text.append("    %s: %s = %s,\n".formatted(SHOW.name(), SHOW.type(), SHOW.fallback()));
        text.append(") -> %s:\n".formatted(result));
        String description = plain(String.join(" ", command.usageMessage().description()));
        text.append(wrap("    \"\"\"", "    ", description)).append("\n\n    Args:\n");
        own.forEach(each -> text.append(about(each.name(), each.help())));
        options.forEach(each -> text.append(about(name(each), help(each))));
        text.append(about(SHOW.name(), SHOW.help()));
        text.append(
                """

                    Raises:
                        LeveeError: if an option is wrong, or the command fails; one sentence.
                    \"""
                    return launch("%s", locals())

                """
                        .formatted(command.name()));
        return text.toString();
    }

    private static String name(OptionSpec option) {
        return option.longestName().substring(2).replace('-', '_');
    }

    /** The type of a parameter in Python. */
    private static String type(OptionSpec option) {
        if (name(option).equals("model")) {
            return "Any";
        }
        if (option.userObject() instanceof SettingsTable.Entry entry) {
            if (entry.type().isEnum()) {
                return entry.names().stream()
                        .collect(Collectors.joining("\", \"", "Optional[Literal[\"", "\"]]"));
            }
            if (!entry.about().bare().isEmpty()) {
                return "Union[bool, str, None]"; // its value may be left out
            }
            return entry.flag()
                    ? "bool"
                    : entry.repeatable()
                            ? "Optional[Union[str, Sequence[str]]]"
                            : optional(entry.type(), option.paramLabel());
        }
        if (option.arity().max() == 0) {
            return "bool";
        }
        if (option.arity().min() == 0) {
            return "Union[bool, PathLike, None]"; // its value may be left out
        }
        if (option.type() == List.class) {
            return "Optional[Union[str, Sequence[str]]]";
        }
        return optional(option.type(), option.paramLabel());
    }

    private static String optional(Class<?> type, String label) {
        if (type == int.class
                || type == Integer.class
                || type == long.class
                || type == Long.class) {
            return "Optional[int]";
        }
        if (type == double.class || type == Double.class) {
            return "Optional[float]";
        }
        if (type == CountOrShare.class) {
            return "Optional[Union[int, str]]";
        }
        boolean path = type == Path.class || List.of("DIR", "FILE", "PATH").contains(label);
        return path ? "Optional[PathLike]" : "Optional[str]";
    }

    private static String help(OptionSpec option) {
        String meaning = String.join(" ", option.description());
        Matcher fallback = DEFAULT.matcher(meaning);
        String otherwise = fallback.find() ? fallback.group(1) : "";
        if (name(option).equals(OUTPUT) && otherwise.isEmpty()) {
            otherwise = "levee-runs/<time>-<command>";
        }
        String about = plain(fallback.replaceAll(""));
        if (name(option).equals("model")) {
            about +=
                    " Also a path, a module that torch.jit.script can script, or a class or"
                            + " function of a .py file that makes a module.";
        }
        return otherwise.isEmpty() ? about : about + " [" + plain(otherwise) + "]";
    }

    private static String plain(String help) {
        return help.replace("%%", "%")
                .replace("%n", " ")
                .replace("\\", "\\\\")
                .replaceAll("\\s+", " ")
                .strip();
    }

    private static String about(String name, String help) {
        return wrap("        " + name + ": ", "            ", help) + "\n";
    }

    /** Breaks a text into lines that are no longer than a line may be, where words allow it. */
    private static String wrap(String first, String next, String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(first);
        boolean empty = true;
        for (String word : text.split(" ")) {
            if (!empty && line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(next);
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            empty = false;
        }
        lines.add(line.toString());
        return String.join("\n", lines);
    }
}
