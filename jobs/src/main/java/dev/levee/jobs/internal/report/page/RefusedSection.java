package dev.levee.jobs.internal.report.page;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.summary.Summary;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The section about refused contributions, and about rounds that waited or were lost. */
final class RefusedSection {
    private RefusedSection() {}

    /** The section as HTML, empty if there were none. */
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
        String notes =
                note(
                                run,
                                run.summary().overtimeRounds(),
                                "waited for more contributions after their deadline")
                        + note(
                                run,
                                run.summary().lostRounds(),
                                "changed nothing: too many devices had left their secure sum, or"
                                        + " one of them had broken its rules"
                                        + why(run.summary().lostReasons()));
        if (reasons.isEmpty() && notes.isEmpty()) {
            return "";
        }
        StringBuilder html = new StringBuilder();
        html.append("<section><h2>")
                .append(
                        reasons.isEmpty()
                                ? "Rounds that waited or were lost, "
                                : "Contributions refused, ")
                .append(Html.escape(run.rule()))
                .append("</h2>");
        if (!reasons.isEmpty()) {
            html.append(Html.table(List.of("Reason", "How often", "Senders")));
            reasons.forEach(
                    (reason, sums) ->
                            html.append(
                                    "<tr><td>%s</td><td>%d</td><td>%s</td></tr>"
                                            .formatted(
                                                    Html.escape(reason),
                                                    sums[0],
                                                    sums[1] == 0 ? "unknown" : sums[1])));
            html.append(Html.TABLE_END);
        }
        return html.append(notes).append("</section>\n").toString();
    }

    /** The reasons why rounds were lost, with their counts. */
    private static String why(Map<String, Long> reasons) {
        return reasons.entrySet().stream()
                .map(each -> "; %d: %s".formatted(each.getValue(), Html.escape(each.getKey())))
                .collect(Collectors.joining());
    }

    private static String note(RunView run, Long rounds, String what) {
        return rounds == null || rounds == 0
                ? ""
                : "<p class=\"note\">%d of %d rounds %s.</p>"
                        .formatted(rounds, run.summary().roundsDone(), what);
    }
}
