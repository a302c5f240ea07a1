package dev.levee.jobs.internal.study;

import dev.levee.connectors.data.Partition;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.setting.ConfigFile;
import dev.levee.jobs.internal.config.setting.Given;
import dev.levee.jobs.internal.config.setting.SettingsTable;
import dev.levee.jobs.internal.config.setting.Values;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A grid of trainings: options of {@code train}, any of which may have several values, and each
 * combination of values is a cell.
 *
 * @param values of each option, in the order of the file
 * @param honest number of honest workers, to which those that attack are added; null if the number
 *     of all workers is given
 * @param bestRound whether a curve counts by its best evaluation instead of its last
 */
record Study(LinkedHashMap<String, List<String>> values, Integer honest, boolean bestRound) {
    private static final String HONEST = "honest";
    private static final String MEASURE = "measure";
    private static final String BEST = "best";
    private static final String FINAL = "final";
    private static final String AGGREGATOR = "aggregator";
    private static final String BYZANTINE = "byzantine";
    private static final String WORKERS = "workers";
    private static final long MOST_CELLS = 100_000;

    /** What is wrong with a value is wrong with it in every cell. */
    private static final Map<String, Consumer<String>> NAMES =
            Map.of(
                    AGGREGATOR,
                    Rules::parse,
                    "attack",
                    Attacks::parse,
                    "partition",
                    Partition::parse);

    /**
     * Reads a study from a YAML file.
     *
     * @throws IllegalArgumentException if it is none; one sentence
     */
    static Study read(Path file) {
        List<String> known =
                Stream.concat(
                                RunConfig.SETTINGS.entries().stream()
                                        .map(SettingsTable.Entry::name),
                                Stream.of(HONEST, MEASURE))
                        .toList();
        Map<String, Given> given = ConfigFile.read(file, file.toString(), known);
        LinkedHashMap<String, List<String>> values = new LinkedHashMap<>();
        given.forEach((name, texts) -> values.put(name, checked(name, texts)));
        Integer honest = values.containsKey(HONEST) ? honest(given.get(HONEST)) : null;
        boolean best =
                !values.containsKey(MEASURE)
                        || one(given.get(MEASURE), List.of(BEST, FINAL)).equals(BEST);
        require(
                honest == null || !values.containsKey(WORKERS),
                "%s gives honest and workers; give one of them",
                file);
        values.keySet().removeAll(List.of(HONEST, MEASURE));
        if (!values.containsKey(AGGREGATOR)) {
            values.put(AGGREGATOR, RunConfig.SETTINGS.read(Map.of()).aggregator());
        }
        Study study = new Study(values, honest, best);
        long count = 1;
        for (List<String> each : values.values()) {
            count = Math.multiplyExact(count, each.size());
            require(count <= MOST_CELLS, "%s has more than %,d cells", file, MOST_CELLS);
        }
        return study;
    }

    private static List<String> checked(String name, Given given) {
        require(!given.texts().isEmpty(), "%s has no value", given.origin());
        List<String> texts = given.texts().stream().map(String::strip).toList();
        HashSet<String> seen = new HashSet<>();
        for (String text : texts) {
            require(seen.add(text), "%s has %s twice", given.origin(), text);
            if (NAMES.containsKey(name) && text.indexOf('{') < 0) {
                Values.named(
                        given.origin(),
                        () -> {
                            NAMES.get(name).accept(text);
                            return text;
                        });
            }
        }
        return texts;
    }

    private static int honest(Given given) {
        String text = one(given, List.of());
        require(
                text.matches("[1-9]\\d{0,3}"),
                "%s must be a whole number from 1 to 9999, got %s",
                given.origin(),
                text);
        return Integer.parseInt(text);
    }

    private static String one(Given given, List<String> permitted) {
        require(
                given.texts().size() == 1,
                "%s takes one value, got %d",
                given.origin(),
                given.texts().size());
        String text = given.texts().get(0).strip();
        require(
                permitted.isEmpty() || permitted.contains(text),
                "%s must be one of %s, got %s",
                given.origin(),
                String.join(", ", permitted),
                text);
        return text;
    }

    private static void require(boolean condition, String sentence, Object... values) {
        if (!condition) {
            throw new IllegalArgumentException(sentence.formatted(values));
        }
    }

    /** Options that have several values, in order. */
    List<String> axes() {
        return values.keySet().stream().filter(name -> values.get(name).size() > 1).toList();
    }

    /**
     * All combinations, the last option changing fastest.
     *
     * @throws IllegalArgumentException if an option has a wrong value; one sentence
     */
    List<Cell> cells() {
        List<LinkedHashMap<String, String>> all = new ArrayList<>();
        all.add(new LinkedHashMap<>());
        for (Map.Entry<String, List<String>> option : values.entrySet()) {
            List<LinkedHashMap<String, String>> longer = new ArrayList<>();
            for (LinkedHashMap<String, String> each : all) {
                for (String value : option.getValue()) {
                    LinkedHashMap<String, String> with = new LinkedHashMap<>(each);
                    with.put(option.getKey(), value);
                    longer.add(with);
                }
            }
            all = longer;
        }
        if (honest != null) {
            all.forEach(options -> options.put(WORKERS, String.valueOf(honest + faulty(options))));
        }
        return all.stream().map(Cell::at).toList();
    }

    private static int faulty(Map<String, String> options) {
        Map<String, Object> defaults = RunConfig.SETTINGS.write(RunConfig.SETTINGS.read(Map.of()));
        String text = options.getOrDefault(BYZANTINE, String.valueOf(defaults.get(BYZANTINE)));
        require(
                text.matches("\\d{1,4}"),
                "honest needs byzantine as a number of workers, got %s",
                text);
        return Integer.parseInt(text);
    }
}
