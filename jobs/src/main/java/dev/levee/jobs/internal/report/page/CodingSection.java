package dev.levee.jobs.internal.report.page;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.summary.CodingSummary;

import java.util.Locale;

/** The section about the accuracy with which a gradient code was decoded. */
final class CodingSection {
    private CodingSection() {}

    /** The section as HTML, empty for a run without a code. */
    static String of(RunView run) {
        CodingSummary coding = run.summary().coding();
        if (coding == null) {
            return "";
        }
        String digits =
                coding.condition() == null
                        ? "It loses no digits."
                        : String.format(
                                Locale.ROOT,
                                "The condition number of the answers is at most %.3g.",
                                coding.condition());
        String rounds =
                coding.approximated() == 0
                        ? "Each of %d rounds had enough answers for the gradient of all shares."
                                .formatted(coding.rounds())
                        : String.format(
                                Locale.ROOT,
                                "%d of %d rounds had fewer answers than the code needs. Their"
                                        + " gradients are approximations: the residual ‖aB − 1‖² / n is %.3g on"
                                        + " average over all rounds and %.3g at most.",
                                coding.approximated(),
                                coding.rounds(),
                                coding.meanResidual(),
                                coding.worstResidual());
        return "<section><h2>Gradient code %s</h2><p>%s %s</p></section>\n"
                .formatted(Html.escape(coding.code()), digits, rounds);
    }
}
