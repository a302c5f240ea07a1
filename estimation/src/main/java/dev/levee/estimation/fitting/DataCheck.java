package dev.levee.estimation.fitting;

import dev.levee.estimation.EffectData;
import dev.levee.estimation.Procedure;
import dev.levee.estimation.Score;
import dev.levee.estimation.Specification;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Rejects data on which a specification cannot be estimated, before anything is fitted. */
public final class DataCheck {
    private final EffectData data;
    private final Specification specification;

    private DataCheck(EffectData data, Specification specification) {
        this.data = data;
        this.specification = specification;
    }

    /**
     * Checks data.
     *
     * @throws IllegalArgumentException if the data do not allow the estimate; one sentence
     */
    public static void check(EffectData data, Specification specification) {
        DataCheck check = new DataCheck(data, specification);
        check.roles();
        check.columns();
        check.given();
        check.folds();
    }

    private static IllegalArgumentException wrong(String sentence, Object... parts) {
        return new IllegalArgumentException(sentence.formatted(parts));
    }

    /** Formats whole numbers without a fraction: 3, not 3.0. */
    private static String shortest(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private void roles() {
        Score score = specification.score();
        if (data.treatments().isEmpty()) {
            throw wrong("there must be a treatment");
        }
        if (data.covariates().isEmpty()) {
            throw wrong("at least one covariate is needed besides outcome and treatment");
        }
        int instruments = data.instruments().size();
        if (score.hasInstrument() && instruments == 0) {
            throw wrong("the model %s needs an instrument", model());
        }
        if (!score.hasInstrument() && instruments > 0) {
            throw wrong(
                    "the model %s has no instrument, got %s; pliv and iivm have one",
                    model(), data.instruments().get(0).name());
        }
        if (score == Score.LATE && instruments > 1) {
            throw wrong("the model %s has one instrument, got %d", model(), instruments);
        }
        if (score == Score.LATE && data.treatments().size() > 1) {
            throw wrong(
                    "the model %s has one treatment, got %d", model(), data.treatments().size());
        }
        if (data.clusters().size() > 2) {
            throw wrong("clusters need one or two columns, got %d", data.clusters().size());
        }
        if (data.clusters().size() == 2 && specification.multiplier() != null) {
            throw wrong(
                    "joint intervals by the bootstrap are not defined for clusters of two ways");
        }
    }

    private String model() {
        return specification.model().name().toLowerCase(Locale.ROOT);
    }

    private void columns() {
        finite("outcome", data.outcome());
        varied("outcome", data.outcome());
        for (EffectData.Column each : data.covariates()) {
            finite("covariate", each);
        }
        boolean arms = specification.score().hasPropensity();
        for (EffectData.Column each : data.treatments()) {
            finite("treatment", each);
            varied("treatment", each);
            if (arms) {
                binary("treatment", each);
            }
        }
        for (EffectData.Column each : data.instruments()) {
            finite("instrument", each);
            varied("instrument", each);
            if (arms) {
                binary("instrument", each);
            }
        }
    }

    private static void finite(String role, EffectData.Column column) {
        int missing = 0;
        int first = -1;
        for (int i = 0; i < column.values().length; i++) {
            if (!Double.isFinite(column.values()[i])) {
                first = missing == 0 ? i : first;
                missing++;
            }
        }
        if (missing > 0) {
            throw wrong(
                    "the %s %s has %d missing or infinite %s, the first in row %d: drop such rows or"
                            + " fill them in",
                    role, column.name(), missing, missing == 1 ? "value" : "values", first + 1);
        }
    }

    private static void varied(String role, EffectData.Column column) {
        if (constant(column)) {
            throw wrong(
                    "the %s %s is constant: all its values are %s, so it has no effect to estimate",
                    role, column.name(), shortest(column.values()[0]));
        }
    }

    private static boolean constant(EffectData.Column column) {
        double[] values = column.values();
        return values.length > 0 && Arrays.stream(values).allMatch(each -> each == values[0]);
    }

    /** Names of constant covariates. All learners accept them, but cannot learn from them. */
    public static List<String> constantCovariates(EffectData data) {
        return data.covariates().stream()
                .filter(DataCheck::constant)
                .map(EffectData.Column::name)
                .toList();
    }

    private void binary(String role, EffectData.Column column) {
        for (int i = 0; i < column.values().length; i++) {
            double value = column.values()[i];
            if (value != 0 && value != 1) {
                throw wrong(
                        "the %s %s must be 0 or 1 for the model %s, got %s in row %d",
                        role, column.name(), model(), shortest(value), i + 1);
            }
        }
    }

    private void given() {
        if (data.given().isEmpty()) {
            return;
        }
        int ways = Math.max(1, data.clusters().size());
        if (data.given().size() != ways) {
            throw wrong(
                    "given folds need %s, got %d",
                    ways == 1
                            ? "one column"
                            : "two columns where clusters are of two ways, one for each way",
                    data.given().size());
        }
        if (specification.repetitions() > 1) {
            throw wrong(
                    "given folds are the same in every repetition, so there is one, got %d",
                    specification.repetitions());
        }
        for (EffectData.Codes each : data.given()) {
            given(each.values());
        }
        for (int way = 0; way < data.clusters().size(); way++) {
            whole(data.clusters().get(way), data.given().get(way).values());
        }
    }

    private void given(int[] given) {
        int[] counts = new int[specification.folds()];
        for (int fold : given) {
            if (fold < 0 || fold >= counts.length) {
                throw wrong("given folds must be from 0 to %d, got %d", counts.length - 1, fold);
            }
            counts[fold]++;
        }
        for (int fold = 0; fold < counts.length; fold++) {
            if (counts[fold] == 0) {
                throw wrong("fold %d of the given folds is empty", fold + 1);
            }
        }
    }

    /** Checks that no cluster is in two folds. */
    private static void whole(EffectData.Codes codes, int[] given) {
        int[] first = new int[codes.count()];
        Arrays.fill(first, -1);
        for (int i = 0; i < given.length; i++) {
            int cluster = codes.values()[i];
            if (first[cluster] >= 0 && given[first[cluster]] != given[i]) {
                throw wrong(
                        "a cluster of %s is in two of the given folds: rows %d and %d",
                        codes.name(), first[cluster] + 1, i + 1);
            }
            first[cluster] = first[cluster] < 0 ? i : first[cluster];
        }
    }

    private void folds() {
        int folds = specification.folds();
        if (folds > data.size()) {
            throw wrong(
                    "the number of folds must be from 2 to the number of observations, which is %d,"
                            + " got %d",
                    data.size(), folds);
        }
        for (EffectData.Codes codes : data.clusters()) {
            if (data.given().isEmpty() && codes.count() < 2 * folds) {
                throw wrong(
                        "a cluster of %s would fill a fold: %d folds need at least %d clusters, got"
                                + " %d",
                        codes.name(), folds, 2 * folds, codes.count());
            }
        }
        for (int repetition = 0; repetition < specification.repetitions(); repetition++) {
            split(Folds.of(data, folds, specification.seed(), repetition), repetition);
        }
    }

    private void split(Folds folds, int repetition) {
        for (int way = 0; way < data.clusters().size() && !data.given().isEmpty(); way++) {
            for (int group = 0; group < folds.perWay(); group++) {
                if (folds.clusters(way, group) < 2) {
                    throw wrong(
                            "a cluster of %s fills fold %d of the given folds: there must be two",
                            data.clusters().get(way).name(), group + 1);
                }
            }
        }
        filled(folds, repetition);
        if (!specification.score().hasPropensity()) {
            return;
        }
        for (int t = 0; t < data.treatments().size(); t++) {
            arms(folds, repetition, t);
        }
    }

    /**
     * Checks pairs of groups of two-way clusters. A pair with observations needs a training sample,
     * and dml1 needs observations in each pair.
     */
    private void filled(Folds folds, int repetition) {
        int[] counts = new int[folds.count()];
        for (int i = 0; i < data.size(); i++) {
            counts[folds.part(i)]++;
        }
        for (int part = 0; part < counts.length; part++) {
            if (counts[part] == 0 && specification.procedure() == Procedure.DML1) {
                throw wrong(
                        "dml1 estimates in each pair of groups of clusters, but groups %d and %d of"
                                + " repetition %d share no observation: use fewer folds, or dml2",
                        folds.group(part, 0) + 1, folds.group(part, 1) + 1, repetition + 1);
            }
            if (counts[part] > 0 && folds.ways() == 2 && !hasTrainingSample(folds, part, counts)) {
                throw wrong(
                        "every observation is in group %d of %s or group %d of %s of repetition %d,"
                                + " which leaves none to fit on: use more folds or another seed",
                        folds.group(part, 0) + 1,
                        data.clusters().get(0).name(),
                        folds.group(part, 1) + 1,
                        data.clusters().get(1).name(),
                        repetition + 1);
            }
        }
    }

    private static boolean hasTrainingSample(Folds folds, int part, int[] counts) {
        for (int other = 0; other < counts.length; other++) {
            if (counts[other] > 0
                    && folds.group(other, 0) != folds.group(part, 0)
                    && folds.group(other, 1) != folds.group(part, 1)) {
                return true;
            }
        }
        return false;
    }

    /** Checks that each fold has observations of both arms. */
    private void arms(Folds folds, int repetition, int treatment) {
        double[] arm = data.assignment(treatment).values();
        int[][] counts = new int[folds.count()][2];
        for (int i = 0; i < arm.length; i++) {
            counts[folds.part(i)][(int) arm[i]]++;
        }
        for (int part = 0; part < counts.length; part++) {
            for (int side = 0; side < 2; side++) {
                if (counts[part][side] == 0) {
                    throw wrong(
                            "fold %d of repetition %d has no observation with %s = %d: use fewer"
                                    + " folds",
                            part + 1, repetition + 1, data.assignment(treatment).name(), side);
                }
            }
        }
    }
}
