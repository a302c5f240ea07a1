package dev.levee.jobs.internal.report.summary;

import dev.levee.operators.rounds.coding.Coding;
import dev.levee.operators.rounds.coding.Cyclic;
import dev.levee.operators.rounds.coding.GradientCode;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;

import java.util.Arrays;
import java.util.Optional;

/**
 * The accuracy with which a gradient code was decoded. The residual of a round is ‖aB − 1‖² / n of
 * the best decoder a for the answers that closed it: 0 where these were enough, and where they were
 * fewer the mean square by which the weights of the shares miss 1.
 *
 * @param code the code
 * @param condition worst condition number of the answers that can close a round; null of a code
 *     that loses no digits
 * @param rounds rounds whose answers are known: all, or the last one of each stretch
 * @param approximated rounds of them with fewer answers than the code needs
 * @param meanResidual over these rounds
 * @param worstResidual the largest
 */
public record CodingSummary(
        String code,
        Double condition,
        long rounds,
        long approximated,
        double meanResidual,
        double worstResidual) {
    /** A residual that is not rounding alone. */
    private static final double ROUNDING = 1e-9;

    /** The summary of a run, null without a code. */
    static CodingSummary of(RunResult result) {
        Optional<GradientCode> found = Coding.of(result.training());
        if (found.isEmpty()) {
            return null;
        }
        GradientCode code = found.get();
        double[] residuals =
                result.rounds().stream().mapToDouble(round -> residual(code, round)).toArray();
        return new CodingSummary(
                code.name(),
                code.exact() instanceof Cyclic cyclic ? cyclic.condition() : null,
                residuals.length,
                Arrays.stream(residuals).filter(each -> each > ROUNDING).count(),
                Arrays.stream(residuals).average().orElse(0),
                Arrays.stream(residuals).max().orElse(0));
    }

    /** Enough answers need no look: they are exact, or the run would have failed. */
    private static double residual(GradientCode code, RoundReport round) {
        return round.rows().length >= code.workers() - code.stragglers()
                ? 0
                : code.decode(round.rows()).residual();
    }
}
