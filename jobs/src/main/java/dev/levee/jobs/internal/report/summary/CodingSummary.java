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
 * the best decoder a for the answers that closed the round. It is 0 if there were enough answers;
 * otherwise it is the mean squared deviation of the shares' weights from 1.
 *
 * @param code the code
 * @param condition worst condition number of the answers that can close a round; null for a code
 *     that loses no precision
 * @param rounds number of rounds whose answers are known: all, or the last of each stretch
 * @param approximated number of these rounds with fewer answers than the code needs
 * @param meanResidual mean over these rounds
 * @param worstResidual largest of these rounds
 */
public record CodingSummary(
        String code,
        Double condition,
        long rounds,
        long approximated,
        double meanResidual,
        double worstResidual) {
    /** A larger residual is more than rounding. */
    private static final double ROUNDING = 1e-9;

    /** The summary of a run, null if the run has no code. */
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

    /**
     * The residual of a round. With enough answers it is 0: decoding is exact, or the run would
     * have failed.
     */
    private static double residual(GradientCode code, RoundReport round) {
        return round.rows().length >= code.workers() - code.stragglers()
                ? 0
                : code.decode(round.rows()).residual();
    }
}
