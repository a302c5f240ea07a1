package dev.levee.jobs.internal.study;

import dev.levee.connectors.data.Partition;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.jobs.internal.config.RunConfig;
import dev.levee.jobs.internal.config.setting.ConfigFile;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.config.setting.Values;
import dev.levee.jobs.internal.report.study.StudyResults;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A grid of trainings. Each option of a command may have several values, and each combination of
 * values is a cell.
 *
 * @param command the command whose options these are
 * @param values the values of each option, in the order of the file; those of {@link #VARIANT} are
 *     names of variants
 * @param variants groups of options that are set together, by the name of the variant
 * @param honest number of honest workers, to which attackers are added; null if the number of all
 *     workers is given
 * @param bestRound true if the best evaluation represents a curve, false for the last
 */
record Study(
        CellCommand command,
        LinkedHashMap<String, List<String>> values,
        Map<String, Map<String, String>> variants,
        Integer honest,
        boolean bestRound) {
    private static final String COMMAND = "command";
    private static final String VARIANTS = "variants";
    private static final String VARIANT = "variant";
    private static final String HONEST = "honest";
    private static final String MEASURE = "measure";
    private static final String BEST = "best";
    private static final String FINAL = "final";
    private static final String BYZANTINE = "byzantine";
    private static final String WORKERS = "workers";
    private static final List<String> OWN = List.of(COMMAND, HONEST, MEASURE);
    private static final long MOST_CELLS = 100_000;

    /** Checks of values that would be wrong in every cell. */
    private static final Map<String, Consumer<String>> NAMES =
            Map.of(
                    StudyResults.RULE,
                    Rules::parse,
                    StudyResults.ATTACK,
                    Attacks::parse,
                    "partition",
                    Partition::parse);

    /**
     * Reads a study from the text of a YAML file.
     *
     * @param file name of the file, for error messages
     * @throws IllegalArgumentException if the text defines no study; one sentence
     */
    static Study read(String text, Path file) {
        ConfigFile.Grouped read = ConfigFile.readGrouped(text, file, VARIANTS);
        Map<String, GivenSetting> given = read.given();
        CellCommand command = command(given);
        List<String> options = command.options();
        ConfigFile.refuseUnknown(
                given, file.toString(), Stream.concat(options.stream(), OWN.stream()).toList());
        LinkedHashMap<String, List<String>> values = new LinkedHashMap<>();
        if (!read.groups().isEmpty()) {
            values.put(VARIANT, List.copyOf(read.groups().keySet()));
        }
        given.forEach((name, texts) -> values.put(name, checked(name, texts)));
        values.keySet().removeAll(OWN);
        Integer honest = given.containsKey(HONEST) ? honest(given.get(HONEST)) : null;
        require(
                honest == null || command == CellCommand.TRAIN,
                "%s gives honest, which is for cells of train: a round of federate asks some of"
                        + " its devices",
                file);
        Map<String, Map<String, String>> variants = new LinkedHashMap<>();
        read.groups()
                .forEach(
                        (name, own) -> {
                            ConfigFile.refuseUnknown(
                                    own, "variant %s of %s".formatted(name, file), options);
                            variants.put(name, variant(own, values));
                        });
        Set<String> set = new HashSet<>(values.keySet());
        variants.values().forEach(each -> set.addAll(each.keySet()));
        for (String total : List.of(WORKERS, "nodes")) {
            require(
                    honest == null || !set.contains(total),
                    "%s gives honest and %s; give one of them",
                    file,
                    total);
        }
        if (command == CellCommand.TRAIN && !set.contains(StudyResults.RULE)) {
            values.put(StudyResults.RULE, RunConfig.SETTINGS.read(Map.of()).aggregator());
        }
        Study study = new Study(command, values, variants, honest, best(given));
        long count = 1;
        for (List<String> each : values.values()) {
            count = Math.multiplyExact(count, each.size());
            require(count <= MOST_CELLS, "%s has more than %,d cells", file, MOST_CELLS);
        }
        return study;
    }

    private static CellCommand command(Map<String, GivenSetting> given) {
        List<String> words = Stream.of(CellCommand.values()).map(CellCommand::word).toList();
        String word =
                given.containsKey(COMMAND)
                        ? one(given.get(COMMAND), words)
                        : CellCommand.TRAIN.word();
        return CellCommand.values()[words.indexOf(word)];
    }

    private static boolean best(Map<String, GivenSetting> given) {
        return !given.containsKey(MEASURE)
                || one(given.get(MEASURE), List.of(BEST, FINAL)).equals(BEST);
    }

    /** Reads the options of a variant, none of which the study may also set. */
    private static Map<String, String> variant(
            Map<String, GivenSetting> own, Map<String, List<String>> values) {
        Map<String, String> options = new LinkedHashMap<>();
        own.forEach(
                (name, texts) -> {
                    require(
                            !values.containsKey(name),
                            "%s is set outside of the variants, too; set it in one place",
                            texts.origin());
                    checked(name, texts);
                    options.put(name, one(texts, List.of()));
                });
        return options;
    }

    private static List<String> checked(String name, GivenSetting given) {
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

    private static int honest(GivenSetting given) {
        String text = one(given, List.of());
        require(
                text.matches("[1-9]\\d{0,3}"),
                "%s must be a whole number from 1 to 9999, got %s",
                given.origin(),
                text);
        return Integer.parseInt(text);
    }

    private static String one(GivenSetting given, List<String> permitted) {
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

    /** The options that have several values, in order. */
    List<String> axes() {
        return values.keySet().stream().filter(name -> values.get(name).size() > 1).toList();
    }

    /** The values for people, which include the options of each variant. */
    Map<String, List<String>> described() {
        Map<String, List<String>> all = new LinkedHashMap<>(values);
        all.computeIfPresent(VARIANT, (key, names) -> names.stream().map(this::described).toList());
        return all;
    }

    private String described(String variant) {
        String options =
                variants.get(variant).entrySet().stream()
                        .map(each -> each.getKey() + " " + each.getValue())
                        .collect(Collectors.joining(", "));
        return options.isEmpty() ? variant : variant + " (" + options + ")";
    }

    /**
     * Returns all combinations; the last option changes fastest.
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
        return all.stream().map(point -> Cell.at(command, point, options(point))).toList();
    }

    private Map<String, String> options(Map<String, String> point) {
        Map<String, String> options = new LinkedHashMap<>(point);
        String variant = options.remove(VARIANT);
        if (variant != null) {
            options.putAll(variants.get(variant));
        }
        if ("0".equals(options.get(BYZANTINE))
                && !"none".equals(options.getOrDefault("attack", "none"))) {
            options.putIfAbsent("attackers", "0"); // a cell without faults beside those with them
        }
        if (honest != null) {
            options.put(WORKERS, String.valueOf(honest + faulty(options)));
        }
        return options;
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
