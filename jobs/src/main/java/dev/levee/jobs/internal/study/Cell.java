package dev.levee.jobs.internal.study;

import dev.levee.jobs.internal.config.Resolver;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.setting.Given;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.operators.rounds.WrongTrainingException;
import dev.levee.operators.rounds.sequential.SequentialRun;
import dev.levee.operators.rounds.training.Training;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One training of a study.
 *
 * @param id names its results; equal options of {@code train} have the same one
 * @param point values of the study's options
 * @param options of {@code train}, by their names without dashes
 */
record Cell(String id, LinkedHashMap<String, String> point, LinkedHashMap<String, String> options)
        implements Serializable {
    private static final int ID_BYTES = 8;

    /** The cell at a point, in which {@code {name}} stands for the value of an option. */
    static Cell at(LinkedHashMap<String, String> point) {
        LinkedHashMap<String, String> options = new LinkedHashMap<>();
        point.forEach((name, text) -> options.put(name, filled(text, point)));
        return new Cell(
                Resolver.hash(RunConfig.SETTINGS.write(config(options)), ID_BYTES), point, options);
    }

    private static String filled(String text, Map<String, String> point) {
        String filled = text;
        for (Map.Entry<String, String> each : point.entrySet()) {
            filled = filled.replace("{" + each.getKey() + "}", each.getValue());
        }
        return filled;
    }

    private static RunConfig config(Map<String, String> options) {
        Map<String, Given> given = new LinkedHashMap<>();
        options.forEach((name, text) -> given.put(name, new Given(List.of(text), "--" + name)));
        return RunConfig.SETTINGS.read(given);
    }

    /** The configuration. */
    RunConfig config() {
        return config(options);
    }

    /**
     * The training, which one thread can run. Opens the data.
     *
     * @throws IllegalArgumentException if there is no such training; one sentence
     */
    Training training() {
        RunConfig config = config();
        Resolver.check(config);
        Training training = Resolver.trainings(config, 1).get(0);
        try {
            SequentialRun.check(training);
        } catch (WrongTrainingException e) {
            throw new IllegalArgumentException(
                    e.naming(part -> "--" + SettingsTable.kebab(part)), e);
        }
        return training;
    }
}
