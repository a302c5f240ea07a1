package dev.levee.jobs.internal.study;

import dev.levee.jobs.internal.config.Resolver;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.jobs.internal.report.study.StudyResults;
import dev.levee.jobs.internal.run.ShellWords;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.sequential.SequentialRun;
import dev.levee.operators.rounds.training.Training;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One training of a study.
 *
 * @param command the command whose options the cell has
 * @param id id of its results, equal for cells with equal options
 * @param point its position in the study: values of its axes, the rule and the attack
 * @param options the options of the command, by their names without dashes
 */
record Cell(
        CellCommand command,
        String id,
        LinkedHashMap<String, String> point,
        LinkedHashMap<String, String> options)
        implements Serializable {
    private static final int ID_BYTES = 8;
    private static final String SAMPLING = "sampling";
    private static final String NONE = "none";

    /**
     * Creates the cell at a point. In the options, {@code {name}} stands for the value of another
     * option.
     *
     * @param options the options of the command at this point
     */
    static Cell at(
            CellCommand command, LinkedHashMap<String, String> point, Map<String, String> options) {
        LinkedHashMap<String, String> filled = new LinkedHashMap<>();
        options.forEach((name, text) -> filled.put(name, filled(text, options)));
        Map<String, Object> resolved;
        try {
            resolved = command.resolved(given(filled));
        } catch (IllegalArgumentException e) {
            // The training reports the error in the cell's options.
            resolved = new LinkedHashMap<>(filled);
        }
        if (resolved.get(SAMPLING) instanceof List<?> several && several.size() > 1) {
            // A run trains with each sampling; a cell is a single training.
            filled.put(SAMPLING, several.get(0).toString());
            resolved = command.resolved(given(filled));
        }
        point.putIfAbsent(StudyResults.RULE, shown(resolved, StudyResults.RULE));
        point.putIfAbsent(StudyResults.ATTACK, shown(resolved, StudyResults.ATTACK));
        return new Cell(command, Resolver.hash(resolved, ID_BYTES), point, filled);
    }

    private static String shown(Map<String, Object> resolved, String name) {
        Object value = resolved.getOrDefault(name, NONE);
        return value instanceof List<?> list && !list.isEmpty()
                ? list.get(0).toString()
                : value.toString();
    }

    private static String filled(String text, Map<String, String> options) {
        String filled = text;
        for (Map.Entry<String, String> each : options.entrySet()) {
            filled = filled.replace("{" + each.getKey() + "}", each.getValue());
        }
        return filled;
    }

    private static Map<String, GivenSetting> given(Map<String, String> options) {
        Map<String, GivenSetting> given = new LinkedHashMap<>();
        options.forEach(
                (name, text) -> given.put(name, new GivenSetting(List.of(text), "--" + name)));
        return given;
    }

    /**
     * Creates the training, which one thread can run. Opens the data.
     *
     * @throws IllegalArgumentException if the options define no training; one sentence
     */
    Training training() {
        return training(Models::open);
    }

    /** Creates the training, with a function that opens the model. */
    Training training(Models.Opener models) {
        Training training = command.training(given(options), models);
        try {
            SequentialRun.check(training);
        } catch (WrongTrainingException e) {
            throw new IllegalArgumentException(
                    e.naming(part -> "--" + SettingsTable.kebab(part)), e);
        }
        return training;
    }

    /** The command that repeats the cell as a separate job, with the same bits. */
    String shellCommand() {
        StringBuilder line = new StringBuilder("./levee " + command.word());
        options.forEach(
                (name, value) -> {
                    if (!command.flag(name)) {
                        line.append(" --")
                                .append(name)
                                .append(' ')
                                .append(ShellWords.quoted(value));
                    } else if (Boolean.parseBoolean(value)) {
                        line.append(" --").append(name);
                    }
                });
        return line.toString();
    }
}
