package dev.levee.jobs.internal.report.page;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.summary.CodeFaultSummary;

import java.util.stream.Collectors;

/**
 * The section about faults in participants' own code: the workers that had them, and the
 * tracebacks.
 */
final class CodeFaultsSection {
    private CodeFaultsSection() {}

    /** The section as HTML, empty if there were no faults. */
    static String of(RunView run) {
        if (run.summary().codeFaults().isEmpty()) {
            return "";
        }
        StringBuilder html = new StringBuilder("<section><h2>Faults in participants' code, ");
        html.append(Html.escape(run.rule())).append("</h2>");
        for (CodeFaultSummary fault : run.summary().codeFaults()) {
            html.append("<p>%s</p>".formatted(Html.escape(fault.message())));
            html.append(
                    "<p class=\"note\">First in round %d. Of %s.</p>"
                            .formatted(fault.firstRound(), workers(fault)));
            if (!fault.traceback().isEmpty()) {
                html.append(
                        "<div class=\"scroll\"><pre>%s</pre></div>"
                                .formatted(Html.escape(fault.traceback())));
            }
        }
        return html.append("</section>\n").toString();
    }

    private static String workers(CodeFaultSummary fault) {
        return fault.workers().entrySet().stream()
                .map(
                        each ->
                                "worker %d (%s)"
                                        .formatted(
                                                each.getKey(),
                                                each.getValue() == 1
                                                        ? "once"
                                                        : each.getValue() + " times"))
                .collect(Collectors.joining(", "));
    }
}
