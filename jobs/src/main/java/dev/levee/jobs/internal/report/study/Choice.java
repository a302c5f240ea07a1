package dev.levee.jobs.internal.report.study;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The learning rate and momentum of one setting that are best against the attack that harms them
 * most.
 *
 * @param setting values of the axes other than attack, seed, learning rate and momentum
 * @param tuned the chosen values of the latter two, as far as they are axes
 * @param curves by attack
 * @param worst the attack with the worst score; null if a cell has failed under one
 * @param value that score; NaN if a cell has failed
 * @param criterion the worst score on the validation set, if there is one; what is chosen by
 */
record Choice(
        Map<String, String> setting,
        Map<String, String> tuned,
        LinkedHashMap<String, Curve> curves,
        String worst,
        double value,
        double criterion) {
    static Choice of(
            Map<String, String> setting,
            Map<String, String> tuned,
            LinkedHashMap<String, Curve> curves,
            boolean best) {
        String worst = null;
        double value = Double.NaN;
        double criterion = Double.NaN;
        for (Map.Entry<String, Curve> each : curves.entrySet()) {
            double other = each.getValue().value(best);
            if (Double.isNaN(other)) {
                return new Choice(setting, tuned, curves, null, Double.NaN, Double.NaN);
            }
            String score = each.getValue().score();
            double chosenBy = each.getValue().criterion(best);
            if (worst == null || Curve.better(score, criterion, chosenBy)) {
                criterion = chosenBy;
            }
            if (worst == null || Curve.better(score, value, other)) {
                worst = each.getKey();
                value = other;
            }
        }
        return new Choice(setting, tuned, curves, worst, value, criterion);
    }

    /** True if it is to be chosen instead of another, by its worst case. */
    boolean preferredTo(Choice other) {
        return Curve.better(score(), criterion, other.criterion);
    }

    /** True if its worst case is better than another's. */
    boolean betterThan(Choice other) {
        return Curve.better(score(), value, other.value);
    }

    /** True if it was made on a validation set. */
    boolean validated() {
        return curves.values().stream().anyMatch(each -> each.validation().length > 0);
    }

    /** Name of what is compared, of the first attack whose cells have ended. */
    String score() {
        return curves.values().stream()
                .filter(each -> each.mean().length > 0)
                .map(Curve::score)
                .findFirst()
                .orElse(CellResult.LOSS);
    }
}
