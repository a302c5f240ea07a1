package dev.levee.jobs.internal.report.forecast;

import static dev.levee.jobs.internal.report.markup.Html.escape;

import dev.levee.jobs.internal.report.markup.GanttChart;
import dev.levee.jobs.internal.report.markup.GraphDrawing;
import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.Markup;
import dev.levee.jobs.internal.report.markup.ValuesTable;
import dev.levee.operators.placement.PlacementPlan;
import dev.levee.operators.placement.PlannedStep;
import dev.levee.operators.placement.graph.Device;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.PassDirection;
import dev.levee.operators.placement.schedule.DeviceUsage;
import dev.levee.operators.placement.schedule.Transfer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The page about a placement, with a Gantt chart, the memory and the graph. */
public final class PlanReport extends Markup {

    private PlanReport() {}

    /**
     * Returns the page as HTML.
     *
     * @param model name of the placed model
     */
    public static String page(PlacementPlan plan, String model) {
        PlanReport report = new PlanReport();
        report.add("%s<h1>Where %s runs</h1>", Html.head("plan"), escape(model));
        report.add(
                "<p class=\"lead\">%s takes %s a step; no plan for these devices takes less than"
                        + " %s.%s</p>",
                plan.algorithm().label(),
                millis(plan.makespan()),
                millis(plan.bounds().lowerBound()),
                plan.options().microBatches() > 1
                        ? " %d micro-batches in the order of %s."
                                .formatted(
                                        plan.options().microBatches(),
                                        plan.options().order().label())
                        : "");
        report.gantt(plan);
        report.memory(plan);
        report.graph(plan);
        report.add("%s", Html.foot());
        return report.text();
    }

    private void gantt(PlacementPlan plan) {
        PlannedStep step = plan.step();
        OperatorGraph graph = step.graph();
        int[][] sequences = step.schedule().sequences(plan.cluster().size());
        List<GanttChart.Row> rows = new ArrayList<>();
        for (int d = 0; d < sequences.length; d++) {
            List<GanttChart.Bar> bars = new ArrayList<>();
            for (int id : sequences[d]) {
                double start = step.schedule().start(id);
                double end = step.schedule().end(id);
                bars.add(
                        new GanttChart.Bar(
                                start,
                                end,
                                "%s, %s from %s"
                                        .formatted(
                                                graph.operator(id).name(),
                                                millis(end - start),
                                                millis(start)),
                                graph.operator(id).phase() == PassDirection.BACKWARD));
            }
            List<GanttChart.Bar> arriving = new ArrayList<>();
            int to = d;
            step.schedule().transfers().stream()
                    .filter(each -> each.to() == to)
                    .sorted(Comparator.comparingDouble(Transfer::start))
                    .forEach(
                            each ->
                                    arriving.add(
                                            new GanttChart.Bar(
                                                    each.start(),
                                                    each.end(),
                                                    graph.operator(graph.producer(each.output()))
                                                                    .name()
                                                            + " from "
                                                            + plan.cluster()
                                                                    .device(each.from())
                                                                    .name(),
                                                    false)));
            rows.add(
                    new GanttChart.Row(
                            plan.cluster().device(d).name(), Html.color(d), bars, arriving));
        }
        add("<section><h2>A step</h2>");
        add(
                "%s",
                GanttChart.draw(
                        "What each device runs", rows, plan.makespan(), PlanReport::millis));
        add("%s", operators(plan));
        add(
                "<p class=\"note\">Bars are operators, paler ones those of backward passes; the"
                        + " thin lines below are outputs on their way to the device.</p></section>");
    }

    /** Draws the bars of the Gantt chart, ordered by start. */
    private static String operators(PlacementPlan plan) {
        PlannedStep step = plan.step();
        int[][] sequences = step.schedule().sequences(plan.cluster().size());
        List<Integer> order =
                Arrays.stream(sequences)
                        .flatMapToInt(Arrays::stream)
                        .boxed()
                        .sorted(Comparator.comparingDouble(step.schedule()::start))
                        .toList();
        String[] device = new String[step.graph().size()];
        for (int d = 0; d < sequences.length; d++) {
            for (int id : sequences[d]) {
                device[id] = escape(plan.cluster().device(d).name());
            }
        }
        return ValuesTable.of(
                "What each device runs",
                List.of("operator", "device", "start", "end"),
                order.stream()
                        .map(
                                id ->
                                        List.of(
                                                escape(step.graph().operator(id).name()),
                                                device[id],
                                                millis(step.schedule().start(id)),
                                                millis(step.schedule().end(id))))
                        .toList());
    }

    private void memory(PlacementPlan plan) {
        List<String> headings =
                List.of("device", "memory", "peak", "persistent", "received", "busy", "operators");
        add("<section><h2>Devices</h2>%s", Html.table(headings));
        for (int d = 0; d < plan.cluster().size(); d++) {
            Device device = plan.cluster().device(d);
            DeviceUsage usage = plan.step().usage().get(d);
            add(
                    "<tr><th><i style=\"background:%s\"></i>%s</th><td>%s</td><td>%s</td>"
                            + "<td>%s</td><td>%s</td><td>%.0f %%</td><td>%d</td></tr>",
                    Html.color(d),
                    escape(device.name()),
                    bytes(device.memory()),
                    bytes(usage.peak()),
                    bytes(usage.persistent()),
                    bytes(usage.received()),
                    100 * usage.busy() / plan.makespan(),
                    usage.operators());
        }
        add("%s</section>", Html.TABLE_END);
    }

    private void graph(PlacementPlan plan) {
        add("<section><h2>The graph</h2>");
        if (plan.graph().size() > GraphDrawing.LARGEST) {
            add(
                    "<p class=\"note\">Graphs of more than %d operators are not drawn; this one has"
                            + " %d.</p></section>",
                    GraphDrawing.LARGEST, plan.graph().size());
            return;
        }
        add("<div class=\"key\">");
        for (int d = 0; d < plan.cluster().size(); d++) {
            add(
                    "<span><i style=\"background:%s\"></i>%s</span>",
                    Html.color(d), escape(plan.cluster().device(d).name()));
        }
        add("</div><div class=\"scroll\">");
        add("%s", GraphDrawing.draw(plan.graph(), plan.devices()));
        add(
                "</div><p class=\"note\">Columns are steps of the longest path. Red edges cross a"
                        + " link.</p></section>");
    }

    /** Formats bytes with a suitable unit, as options accept them. */
    public static String bytes(long bytes) {
        String units = "BKMGT";
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < units.length() - 1) {
            value /= 1024;
            unit++;
        }
        return unit == 0
                ? bytes + "B"
                : String.format(Locale.ROOT, "%.2f%s", value, units.charAt(unit));
    }

    private static String millis(double seconds) {
        return String.format(Locale.ROOT, "%.4g ms", seconds * 1e3);
    }
}
