package dev.levee.operators.rounds.coding;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reference;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;
import dev.levee.operators.rounds.fault.RunFailedException;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Decodes a circulant {@link Cyclic} code although f workers are Byzantine. The {@link Locator}
 * names f answers to leave out. At least n − s + f others remain, and any n − s of them give the
 * mean of the gradients of all shares, up to rounding. A false answer within the rounding error of
 * float32 is not detected, and does no more harm than rounding.
 */
record LocatingRule(Cyclic code) implements CodeRule {
    /** Inner products of all rows, and their norms. */
    private static final Look LOOK = new Look(true, true, true, List.of(Reference.ORIGIN));

    /**
     * A row that is longer than the median row by this factor is excluded: its products would drown
     * the others.
     */
    private static final double HUGE = 1e6;

    /** Largest inconsistency of honest answers, from the rounding of float32. */
    private static final double ROUNDING = 1e-4;

    @Override
    public int minimumRows(int f) {
        return code.stragglers() < 2L * f ? Integer.MAX_VALUE : code.fewestAnswers() + 2 * f;
    }

    @Override
    public String limit() {
        return "s ≥ 2f and n − s + 2f answers";
    }

    @Override
    public Look look() {
        return LOOK;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int[] rows = Answers.rows(round, code.workers());
        int[] answers = Answers.present(rows);
        Norms norms = new Norms(looked, round.rows());
        int[] plausible = withoutHuge(answers, rows, norms, round.f());
        int left = round.f() - (answers.length - plausible.length);
        Locator locator = new Locator(code.workers(), code.stragglers());
        int[] honest = plausible;
        if (left > 0) {
            int[] suspects = locator.suspects(plausible, projections(plausible, rows, norms), left);
            int[] all = plausible;
            honest =
                    IntStream.range(0, all.length)
                            .filter(i -> Arrays.binarySearch(suspects, i) < 0)
                            .map(i -> all[i])
                            .toArray();
        }
        // The fewest answers that suffice agree with anything. They come without others only if all
        // f workers are already proven faulty, so that the rest are honest.
        boolean proven = round.f() == 0 && honest.length == code.fewestAnswers();
        if (!proven && locator.inconsistency(honest, projections(honest, rows, norms)) > ROUNDING) {
            throw new RunFailedException(
                    "round %d of %s has answers that do not agree without any %d of them, so more"
                                    .formatted(round.number(), name(), round.f())
                            + " than f workers are faulty");
        }
        return Answers.mean(code, honest, rows, round);
    }

    /** The answers without the huge ones, of which it drops at most f. */
    private static int[] withoutHuge(int[] answers, int[] rows, Norms norms, int f) {
        double[] sorted =
                Arrays.stream(answers).mapToDouble(i -> norms.of(rows[i])).sorted().toArray();
        double most = HUGE * sorted[(sorted.length - 1) / 2];
        // Drops at most the f largest; if more are huge, the round fails later.
        double least = sorted[sorted.length - Math.min(f + 1, sorted.length)];
        return Arrays.stream(answers)
                .filter(i -> norms.of(rows[i]) <= Math.max(most, least))
                .toArray();
    }

    /** The inner products of the answers with each answer scaled to norm 1. */
    private static double[][] projections(int[] answers, int[] rows, Norms norms) {
        double[][] projections = new double[answers.length][answers.length];
        for (int on = 0; on < answers.length; on++) {
            double norm = norms.of(rows[answers[on]]);
            for (int i = 0; i < answers.length && norm > 0; i++) {
                projections[on][i] = norms.product(rows[answers[i]], rows[answers[on]]) / norm;
            }
        }
        return projections;
    }

    /** State between two looks. */
    private record Norms(LookResult looked, int rows) {
        double of(int row) {
            return Math.sqrt(looked.squaredDistance(row, rows));
        }

        double product(int one, int other) {
            return one == other
                    ? looked.squaredDistance(one, rows)
                    : looked.innerProduct(one, other);
        }
    }
}
