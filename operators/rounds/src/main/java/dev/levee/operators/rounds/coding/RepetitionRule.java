package dev.levee.operators.rounds.coding;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Round;
import dev.levee.gar.RowMap;
import dev.levee.gar.RuleState;
import dev.levee.gar.Step;
import dev.levee.operators.rounds.fault.RunFailedException;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Decodes a {@link Fractional} code. For each part, it uses a copy that f + 1 workers agree on to
 * the bit, so at least one of them is honest: DRACO's repetition code (Chen, Wang, Charles,
 * Papailiopoulos, ICML 2018). The result is bit-identical to the mean of the gradients of all
 * shares, whichever f workers are Byzantine. At least 2f + 1 of the s + 1 copies must arrive.
 *
 * @param liars true if copies are compared; false if no worker is Byzantine and the first one is
 *     taken
 */
record RepetitionRule(Fractional code, boolean liars) implements CodeRule {
    @Override
    public int minimumRows(int f) {
        return code.stragglers() < 2L * f || f > 0 && !liars
                ? Integer.MAX_VALUE
                : code.fewestAnswers() + 2 * f;
    }

    @Override
    public String limit() {
        return "s ≥ 2f and n − s + 2f answers";
    }

    @Override
    public Look look() {
        return liars ? Look.DISTANCES : Look.NOTHING;
    }

    @Override
    public Step decide(int phase, RowMap mixed, LookResult looked, Round round, RuleState state) {
        int[] rows = Answers.rows(round, code.workers());
        int[] taken = new int[code.parts()];
        double[] distances = new double[liars ? round.rows() : 0];
        for (int part = 0; part < taken.length; part++) {
            int[] copies = copies(rows, part);
            int chosen = agreed(copies, looked, round);
            taken[part] = chosen;
            Arrays.stream(copies)
                    .filter(copy -> liars)
                    .forEach(copy -> distances[copy] = looked.squaredDistance(chosen, copy));
        }
        return new Step.Reduce(
                RowMap.select(taken, round.rows()),
                new Reduction.Mean(),
                RuleState.NONE,
                distances);
    }

    private int[] copies(int[] rows, int part) {
        return IntStream.range(0, rows.length)
                .filter(worker -> code.part(worker) == part && rows[worker] >= 0)
                .map(worker -> rows[worker])
                .toArray();
    }

    private int agreed(int[] copies, LookResult looked, Round round) {
        return Arrays.stream(copies)
                .filter(
                        copy ->
                                !liars
                                        || Arrays.stream(copies)
                                                        .filter(other -> same(looked, copy, other))
                                                        .count()
                                                > round.f())
                .findFirst()
                .orElseThrow(
                        () ->
                                new RunFailedException(
                                        "round %d has no %d equal copies of a part of %s, so more than"
                                                        .formatted(
                                                                round.number(),
                                                                round.f() + 1,
                                                                name())
                                                + " f workers are faulty or compute other bits"));
    }

    private static boolean same(LookResult looked, int copy, int other) {
        return looked.squaredDistance(copy, other) == 0;
    }
}
