package dev.levee.jobs.internal.report.study;

import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.learners.Score;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All results of a study.
 *
 * @param values the values of the options that vary, in the order of the study
 * @param best true if the best evaluation represents a curve, false for the last
 * @param cells results of the cells, in the order of the study
 */
public record StudyResults(
        LinkedHashMap<String, List<String>> values, boolean best, List<CellResult> cells) {
    /**
     * Options whose values are tuned: each setting uses those with the best worst case over
     * attacks.
     */
    public static final List<String> TUNED =
            List.of("learning-rate", "momentum", "weight-decay", "local-momentum", "server-rate");

    /** The name of the attack's option. */
    public static final String ATTACK = "attack";

    /** The name of the rule's option. */
    public static final String RULE = "aggregator";

    static final String BYZANTINE = "byzantine";

    /** Options whose values are repetitions; scores are averaged over them. */
    private static final List<String> SEEDS = List.of("seed", "partition-seed");

    private static final int DECIMALS = 4;

    /** The axes other than rule, attack, repetitions and tuned options. */
    List<String> conditions() {
        return values.keySet().stream()
                .filter(axis -> !List.of(RULE, ATTACK).contains(axis))
                .filter(axis -> !SEEDS.contains(axis))
                .filter(axis -> !TUNED.contains(axis))
                .toList();
    }

    /** The axes of tuned options. */
    List<String> tuned() {
        return values.keySet().stream().filter(TUNED::contains).toList();
    }

    List<String> attacks() {
        return attacks(cells);
    }

    private static List<String> attacks(List<CellResult> of) {
        return of.stream().map(StudyResults::attack).distinct().toList();
    }

    List<String> rules() {
        return cells.stream().map(StudyResults::rule).distinct().toList();
    }

    private static String attack(CellResult cell) {
        return cell.point().get(ATTACK);
    }

    private static String rule(CellResult cell) {
        return cell.point().get(RULE);
    }

    /** The values of some axes in a cell. */
    private static Map<String, String> at(CellResult cell, List<String> axes) {
        Map<String, String> values = new LinkedHashMap<>();
        axes.forEach(axis -> values.put(axis, cell.point().get(axis)));
        return values;
    }

    /**
     * The choice of learning rate and momentum for each setting, in the order of the study. For
     * each attack of the setting, the mean over seeds counts; another setting may have other
     * attacks. Of two choices with equal worst cases, the first is taken.
     */
    public List<Choice> choices() {
        List<String> identity = new ArrayList<>(List.of(RULE));
        identity.addAll(conditions());
        Map<Map<String, String>, List<CellResult>> bySetting =
                cells.stream()
                        .collect(
                                Collectors.groupingBy(
                                        cell -> at(cell, identity),
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        List<Choice> choices = new ArrayList<>();
        bySetting.forEach((setting, of) -> choices.add(choice(setting, of)));
        return choices;
    }

    private Choice choice(Map<String, String> setting, List<CellResult> of) {
        Map<Map<String, String>, List<CellResult>> byTuned =
                of.stream()
                        .collect(
                                Collectors.groupingBy(
                                        cell -> at(cell, tuned()),
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        Choice chosen = null;
        for (Map.Entry<Map<String, String>, List<CellResult>> each : byTuned.entrySet()) {
            LinkedHashMap<String, Curve> curves = new LinkedHashMap<>();
            for (String attack : attacks(of)) {
                List<CellResult> under =
                        each.getValue().stream()
                                .filter(cell -> attack(cell).equals(attack))
                                .toList();
                curves.put(attack, Curve.of(under));
            }
            Choice candidate = Choice.of(setting, each.getKey(), curves, best);
            chosen = chosen == null || candidate.preferredTo(chosen) ? candidate : chosen;
        }
        return chosen;
    }

    /** True if a cell has the learning rate and momentum that were chosen for its setting. */
    boolean chosen(CellResult cell, List<Choice> choices) {
        return choices.stream()
                .anyMatch(
                        choice ->
                                choice.setting()
                                                .equals(
                                                        at(
                                                                cell,
                                                                List.copyOf(
                                                                        choice.setting().keySet())))
                                        && choice.tuned().equals(at(cell, tuned())));
    }

    /** The cells without a model, grouped by reason, in order. */
    Map<String, List<CellResult>> failures() {
        return cells.stream()
                .filter(cell -> !cell.complete())
                .collect(
                        Collectors.groupingBy(
                                CellResult::failure, LinkedHashMap::new, Collectors.toList()));
    }

    /** The distinct values of some axes, in the order of the choices. */
    static Set<Map<String, String>> distinct(List<Choice> choices, List<String> axes) {
        Set<Map<String, String>> distinct = new LinkedHashSet<>();
        for (Choice each : choices) {
            distinct.add(part(each.setting(), axes));
        }
        return distinct;
    }

    /** The values of some axes of a setting. */
    static Map<String, String> part(Map<String, String> setting, List<String> axes) {
        Map<String, String> part = new LinkedHashMap<>();
        axes.forEach(axis -> part.put(axis, setting.get(axis)));
        return part;
    }

    /** A setting in words; the rule comes first. */
    static String title(Map<String, String> setting) {
        Map<String, String> others = new LinkedHashMap<>(setting);
        String rule = others.remove(RULE);
        return others.isEmpty() ? rule : rule + ", " + words(others);
    }

    /** The values of axes in words. */
    static String words(Map<String, String> values) {
        return values.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", "));
    }

    /** Formats a score for people. */
    static String text(String score, double value) {
        Optional<Score> known = CellResult.score(score);
        return known.isPresent()
                ? Numbers.score(known.get(), value)
                : Numbers.decimals(value, DECIMALS);
    }

    /** The name of a score for people. */
    static String label(String score) {
        return CellResult.score(score).map(Score::label).orElse(CellResult.LOSS);
    }

    /** Capitalizes the first letter. */
    static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    /** A line for each setting, with its worst case and the chosen values. */
    public List<List<String>> lines() {
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>();
        List<Choice> choices = choices();
        head.addAll(choices.get(0).setting().keySet());
        head.addAll(tuned());
        head.addAll(List.of("worst case", "under"));
        lines.add(head);
        for (Choice each : choices) {
            List<String> line = new ArrayList<>(each.setting().values());
            line.addAll(each.tuned().values());
            line.add(text(each.score(), each.value()));
            line.add(each.worst() == null ? "failed" : each.worst());
            lines.add(line);
        }
        return lines;
    }
}
