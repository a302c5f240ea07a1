package dev.levee.jobs.internal.cli.options;

import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.run.LeftFolder;
import dev.levee.jobs.internal.run.ShellWords;

import org.apache.flink.core.fs.Path;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A command with {@code --resume}. Options that the user leaves out are taken from the run's
 * folder, which records them.
 */
public final class ResumedCommand {
    private static final String RESUME = "--resume";
    private static final String OUTPUT = "--output";
    private static final String OVERWRITE = "--overwrite";

    /** Options of a single start, which are not inherited from the run. */
    private static final Set<String> OF_ONE_START = Set.of(RESUME, OUTPUT, "--new", "--detach");

    private ResumedCommand() {}

    /**
     * Returns the command with all options of the run. Returns it unchanged if it resumes nothing,
     * has a {@code --config}, or names a checkpoint outside of a run's folder.
     *
     * @throws ParameterException if the folder belongs to another command, or this version refuses
     *     an option of the run; one sentence
     */
    public static ParseResult complete(ParseResult parsed) {
        ParseResult command = parsed.subcommand();
        if (command == null
                || !command.hasMatchedOption(RESUME)
                || command.hasMatchedOption("--config")) {
            return parsed;
        }
        String given = command.matchedOption(RESUME).originalStringValues().get(0);
        Optional<LeftFolder> folder = folder(given);
        if (folder.isEmpty()) {
            return parsed;
        }
        CommandLine line = parsed.commandSpec().commandLine();
        String recorded = folder.get().record().arguments().get(0);
        if (recorded.equals(command.commandSpec().name())) {
            return line.parseArgs(words(line, command, given, folder.get()));
        }
        if (isAt(given, folder.get())) {
            throw new ParameterException(
                    command.commandSpec().commandLine(),
                    "%s %s is a run of levee %s, not of levee %s"
                            .formatted(RESUME, given, recorded, command.commandSpec().name()));
        }
        return parsed;
    }

    private static String[] words(
            CommandLine line, ParseResult command, String given, LeftFolder folder) {
        RunRecord record = folder.record();
        // Reads these first: parsing the recorded words overwrites the options' values.
        List<String> own = options(command, name -> !name.equals(RESUME));
        ParseResult then = recorded(line, command, given, record);
        List<String> inherited =
                options(
                        then,
                        name ->
                                !command.hasMatchedOption(name)
                                        && !OF_ONE_START.contains(name)
                                        // Files of another folder may not be replaced.
                                        && !(name.equals(OVERWRITE)
                                                && command.hasMatchedOption(OUTPUT)));
        if (!inherited.isEmpty()) {
            line.getErr()
                    .println(
                            "With the options of the run: "
                                    + inherited.stream()
                                            .map(ShellWords::quoted)
                                            .collect(Collectors.joining(" ")));
        }
        List<String> words = new ArrayList<>(List.of(record.arguments().get(0)));
        words.addAll(inherited);
        if (!command.hasMatchedOption(OUTPUT)) {
            words.add(OUTPUT + "=" + ShellWords.shown(folder.root()));
        }
        words.addAll(own);
        boolean elsewhere = !record.ownCheckpoints() && isAt(given, folder);
        words.add(RESUME + "=" + (elsewhere ? record.checkpoints() : given));
        return words.toArray(String[]::new);
    }

    private static ParseResult recorded(
            CommandLine line, ParseResult command, String given, RunRecord record) {
        try {
            return line.parseArgs(record.arguments().toArray(String[]::new)).subcommand();
        } catch (ParameterException e) {
            throw new ParameterException(
                    command.commandSpec().commandLine(),
                    "%s %s: this version refuses an option with which the run was started (%s); give the run's options with --config instead"
                            .formatted(RESUME, given, e.getMessage()),
                    e,
                    null,
                    given);
        }
    }

    /** Returns the words of the options that a command was given and whose names match. */
    private static List<String> options(ParseResult command, Predicate<String> names) {
        List<String> words = new ArrayList<>();
        // An option that was given twice is listed twice, with both values each time.
        for (OptionSpec option : new LinkedHashSet<>(command.matchedOptions())) {
            String name = option.longestName();
            if (names.test(name)) {
                boolean flag = option.arity().max() == 0;
                option.originalStringValues()
                        .forEach(value -> words.add(flag ? name : name + "=" + value));
            }
        }
        return words;
    }

    private static Optional<LeftFolder> folder(String given) {
        try {
            return LeftFolder.above(given);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isAt(String given, LeftFolder folder) {
        return new Path(OutputLayout.absolute(given)).toString().equals(folder.root());
    }
}
