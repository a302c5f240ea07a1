package dev.levee.jobs.internal.report.forecast;

import static dev.levee.jobs.internal.report.markup.Html.escape;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.LineChart;
import dev.levee.jobs.internal.report.markup.LineChart.Series;
import dev.levee.jobs.internal.report.markup.Markup;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.k8s.simulator.Outcome;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The HTML page that compares policies on one or more workloads. */
final class SimulationReport extends Markup {
    private static final double HOUR = 3600;

    private final Map<String, Object> configuration;
    private final List<SimulationResult> results;
    private final List<String> policies;
    private final List<String> workloads;

    private SimulationReport(Map<String, Object> configuration, List<SimulationResult> results) {
        this.configuration = configuration;
        this.results = results;
        this.policies = results.stream().map(each -> each.outcome().policy()).distinct().toList();
        this.workloads =
                results.stream().map(each -> each.outcome().workload()).distinct().toList();
    }

    /** Returns the page as HTML. */
    static String of(Map<String, Object> configuration, List<SimulationResult> results) {
        return new SimulationReport(configuration, results).page();
    }

    private String page() {
        add("%s", Html.head("simulation"));
        add("<h1>Sharing a cluster</h1><p class=\"lead\">%s</p>", lead());
        table();
        add("<div class=\"grid\">");
        bars(
                "Average job completion time",
                "minutes",
                each -> each.outcome().averageJctSeconds() / 60);
        bars("Worst finish-time fairness", "ρ", each -> each.fairness().worst());
        bars("Makespan", "hours", each -> each.outcome().makespanSeconds() / HOUR);
        bars(
                "Average queueing time",
                "minutes",
                each -> each.outcome().averageQueueingSeconds() / 60);
        bars("Average throughput", "samples/s", each -> each.outcome().averageThroughput());
        add("</div>");
        for (String workload : workloads) {
            add("<h2>%s, over time</h2><div class=\"grid\">", escape(workload));
            chart(workload, "Throughput, samples/s", Outcome.Point::samplesPerSecond, false);
            chart(workload, "Slots in use", Outcome.Point::utilisation, true);
            chart(workload, "Running jobs", Outcome.Point::running, false);
            chart(workload, "Finished jobs", Outcome.Point::finished, false);
            add("</div>");
        }
        add("<section><h2>Configuration</h2><dl>");
        configuration.forEach(
                (name, value) ->
                        add(
                                "<div><dt>%s</dt><dd>%s</dd></div>",
                                escape(name), escape(String.valueOf(value))));
        add("</dl></section>%s", Html.foot());
        return text();
    }

    private String lead() {
        return "Policies: %d. Workloads: %d. Jobs of each: %d. All simulated."
                .formatted(
                        policies.size(), workloads.size(), results.get(0).outcome().jobs().size());
    }

    private void table() {
        List<String> headings =
                List.of(
                        "Policy",
                        "Workload",
                        "Average JCT, s",
                        "Makespan, s",
                        "Worst ρ",
                        "ρ of 90 %",
                        "Queueing, s",
                        "Longest wait, s",
                        "Samples/s",
                        "Restarts");
        add("<section>%s", Html.table(headings));
        for (SimulationResult result : results) {
            Outcome each = result.outcome();
            add(
                    "<tr><th scope=\"row\"><i style=\"background:%s\"></i>%s</th><td>%s</td><td"
                            + " class=\"big\">%.0f</td><td>%.0f</td><td>%.2f</td><td>%.2f</td><td>%.0f</td>"
                            + "<td>%.0f</td><td>%.0f</td><td>%d</td></tr>",
                    color(each.policy()),
                    escape(each.policy()),
                    escape(each.workload()),
                    each.averageJctSeconds(),
                    each.makespanSeconds(),
                    result.fairness().worst(),
                    result.fairness().percentile90(),
                    each.averageQueueingSeconds(),
                    each.longestWaitSeconds(),
                    each.averageThroughput(),
                    each.restarts());
        }
        add("%s</section>", Html.TABLE_END);
    }

    /** Draws a bar for each policy: the mean of a value over workloads. */
    private void bars(String title, String unit, ToDoubleFunction<SimulationResult> value) {
        double[] means =
                policies.stream()
                        .mapToDouble(
                                policy ->
                                        results.stream()
                                                .filter(
                                                        each ->
                                                                each.outcome()
                                                                        .policy()
                                                                        .equals(policy))
                                                .mapToDouble(value)
                                                .average()
                                                .orElseThrow())
                        .toArray();
        double most = Double.MIN_NORMAL;
        for (double mean : means) {
            most = Math.max(most, mean);
        }
        add("<section><h2>%s, %s</h2>", title, unit);
        for (int i = 0; i < means.length; i++) {
            add(
                    "<div class=\"worker\"><span>%s</span><div class=\"track\"><b"
                            + " style=\"width:%.1f%%;background:%s\"></b></div>"
                            + "<span>%s</span></div>",
                    escape(policies.get(i)),
                    100 * means[i] / most,
                    color(policies.get(i)),
                    Numbers.decimals(means[i], 1));
        }
        if (workloads.size() > 1) {
            add("<p class=\"note\">Mean over %d workloads.</p>", workloads.size());
        }
        add("</section>");
    }

    private void chart(
            String workload, String title, ToDoubleFunction<Outcome.Point> value, boolean percent) {
        List<Outcome> shown =
                results.stream()
                        .map(SimulationResult::outcome)
                        .filter(each -> each.workload().equals(workload))
                        .toList();
        add("<section><h2>%s</h2><div class=\"key\">", title);
        for (Outcome each : shown) {
            add(
                    "<span><i style=\"background:%s\"></i>%s</span>",
                    color(each.policy()), escape(each.policy()));
        }
        List<Series> series =
                shown.stream()
                        .map(
                                each ->
                                        new Series(
                                                escape(each.policy()),
                                                color(each.policy()),
                                                each.timeline().stream()
                                                        .mapToDouble(p -> p.seconds() / HOUR)
                                                        .toArray(),
                                                each.timeline().stream()
                                                        .mapToDouble(value)
                                                        .toArray()))
                        .toList();
        add("</div>%s</section>", LineChart.draw(title, series, percent, "hours"));
    }

    private String color(String policy) {
        return Html.color(policies.indexOf(policy));
    }
}
