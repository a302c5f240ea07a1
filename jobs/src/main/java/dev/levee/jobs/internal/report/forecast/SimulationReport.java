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

/** One HTML page that compares policies on one or more workloads. */
final class SimulationReport extends Markup {
    private static final double HOUR = 3600;

    private final Map<String, Object> configuration;
    private final List<Outcome> outcomes;
    private final List<String> policies;
    private final List<String> workloads;

    private SimulationReport(Map<String, Object> configuration, List<Outcome> outcomes) {
        this.configuration = configuration;
        this.outcomes = outcomes;
        this.policies = outcomes.stream().map(Outcome::policy).distinct().toList();
        this.workloads = outcomes.stream().map(Outcome::workload).distinct().toList();
    }

    /** The page. */
    static String of(Map<String, Object> configuration, List<Outcome> outcomes) {
        return new SimulationReport(configuration, outcomes).page();
    }

    private String page() {
        add("%s", Html.head("simulation"));
        add("<h1>Sharing a cluster</h1><p class=\"lead\">%s</p>", lead());
        table();
        add("<div class=\"grid\">");
        bars("Average job completion time", "minutes", each -> each.averageJctSeconds() / 60);
        bars("Makespan", "hours", each -> each.makespanSeconds() / HOUR);
        bars("Average queueing time", "minutes", each -> each.averageQueueingSeconds() / 60);
        bars("Average throughput", "samples/s", Outcome::averageThroughput);
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
                .formatted(policies.size(), workloads.size(), outcomes.get(0).jobs().size());
    }

    private void table() {
        List<String> headings =
                List.of(
                        "Policy",
                        "Workload",
                        "Average JCT, s",
                        "Makespan, s",
                        "Queueing, s",
                        "Longest wait, s",
                        "Samples/s",
                        "Restarts");
        add("<section>%s", Html.table(headings));
        for (Outcome each : outcomes) {
            add(
                    "<tr><th scope=\"row\"><i style=\"background:%s\"></i>%s</th><td>%s</td><td"
                            + " class=\"big\">%.0f</td><td>%.0f</td><td>%.0f</td><td>%.0f</td><td>%.0f</td>"
                            + "<td>%d</td></tr>",
                    color(each.policy()),
                    escape(each.policy()),
                    escape(each.workload()),
                    each.averageJctSeconds(),
                    each.makespanSeconds(),
                    each.averageQueueingSeconds(),
                    each.longestWaitSeconds(),
                    each.averageThroughput(),
                    each.restarts());
        }
        add("%s</section>", Html.TABLE_END);
    }

    /** Means over workloads. */
    private void bars(String title, String unit, ToDoubleFunction<Outcome> value) {
        double[] means =
                policies.stream()
                        .mapToDouble(
                                policy ->
                                        outcomes.stream()
                                                .filter(each -> each.policy().equals(policy))
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
                outcomes.stream().filter(each -> each.workload().equals(workload)).toList();
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
