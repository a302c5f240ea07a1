package dev.levee.jobs.internal.report;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a report says of contributions that were refused, and of rounds that waited for more. */
final class RefusedSection {
    private RefusedSection() {}

    /** The section as HTML, empty if nothing was refused and no round waited. */
    static String of(RunView run) {
        Map<String, long[]> reasons = new LinkedHashMap<>();
        for (Summary.Worker worker : run.summary().workers()) {
            worker.rejected()
                    .forEach(
                            (reason, count) -> {
                                if (count > 0) {
                                    long[] sums = reasons.computeIfAbsent(reason, r -> new long[2]);
                                    sums[0] += count;
                                    sums[1] += worker.worker() < 0 ? 0 : 1;
                                }
                            });
        }
        Long overtime = run.summary().overtimeRounds();
        if (reasons.isEmpty() && (overtime == null || overtime == 0)) {
            return "";
        }
        StringBuilder html = new StringBuilder();
        html.append("<section><h2>")
                .append(reasons.isEmpty() ? "Rounds that waited, " : "Contributions refused, ")
                .append(Html.escape(run.rule()))
                .append("</h2>");
        if (!reasons.isEmpty()) {
            html.append("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Reason</th>");
            html.append("<th scope=\"col\">How often</th><th scope=\"col\">Senders</th></tr>");
            html.append("</thead><tbody>");
            reasons.forEach(
                    (reason, sums) ->
                            html.append(
                                    "<tr><td>%s</td><td>%d</td><td>%s</td></tr>"
                                            .formatted(
                                                    Html.escape(reason),
                                                    sums[0],
                                                    sums[1] == 0 ? "unknown" : sums[1])));
            html.append("</tbody></table></div>");
        }
        if (overtime != null && overtime > 0) {
            html.append(
                    String.format(
                            Locale.ROOT,
                            "<p class=\"note\">%d of %d rounds waited for more contributions after"
                                    + " their deadline.</p>",
                            overtime,
                            run.summary().roundsDone()));
        }
        return html.append("</section>\n").toString();
    }
}
