package dev.levee.jobs.internal.report.study;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The learning rate and momentum of one setting whose worst score over its attacks is best.
 *
 * @param setting values of the axes other than attack, seed and the tuned ones
 * @param tuned chosen values of the tuned axes, such as learning rate and momentum
 * @param curves curves by attack, for the attacks that the setting has
 * @param worst the attack with the worst score; null if a cell failed
 * @param value the worst score; NaN if a cell failed
 * @param criterion the worst score on the validation set, or on the test set if there is no
 *     validation set; the choice is made by it
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

    /** True if this choice is preferred to another by their criteria. */
    boolean preferredTo(Choice other) {
        return Curve.better(score(), criterion, other.criterion);
    }

    /** True if the worst score of this choice is better than the other's. */
    boolean betterThan(Choice other) {
        return Curve.better(score(), value, other.value);
    }

    /** True if the choice was made with a validation set. */
    boolean validated() {
        return curves.values().stream().anyMatch(each -> each.validation().length > 0);
    }

    /** The name of the score, taken from the first attack with finished cells. */
    String score() {
        return curves.values().stream()
                .filter(each -> each.mean().length > 0)
                .map(Curve::score)
                .findFirst()
                .orElse(CellResult.LOSS);
    }
}
