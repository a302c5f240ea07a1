package dev.levee.jobs.internal.report.page;

import static dev.levee.jobs.internal.report.markup.Html.color;
import static dev.levee.jobs.internal.report.markup.Html.escape;

import dev.levee.jobs.internal.report.markup.Markup;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.summary.Summary;

import java.util.List;

/** The sections about runs with workers: their number, how often rules used them, their servers. */
final class WorkersSections extends Markup {
    private final List<RunView> runs;

    private WorkersSections(List<RunView> runs) {
        this.runs = runs;
    }

    /** Returns the sections as HTML. */
    static String of(List<RunView> runs) {
        return new WorkersSections(runs).sections();
    }

    /** Summarizes a run with workers in a sentence or two. */
    static String lead(RunView first) {
        String attack;
        if (first.setting("attack") == null) {
            attack = "all outside Flink";
        } else if (first.attackers() == 0) {
            attack = "none of which attacks";
        } else {
            attack = first.attackers() + " of which attack (" + first.setting("attack") + ")";
        }
        return first.summary().roundsDone()
                + " rounds with "
                + (first.elastic() ? "at first " : "")
                + first.workers()
                + " workers, "
                + attack
                + ". The rules were set to tolerate "
                + first.setting("byzantine")
                + (first.toleratesShare() ? " of the workers of each round." : ".");
    }

    private String sections() {
        if (runs.stream().anyMatch(RunView::toleranceChanges)) {
            RunCharts charts = RunCharts.of(runs);
            add("<div class=\"grid\">");
            add(
                    "%s",
                    charts.section(
                            "Workers that took part in a round, n", RunView.Point::asked, false));
            add(
                    "%s",
                    charts.section(
                            "Byzantine workers among them that the rule had to tolerate, f",
                            RunView.Point::f,
                            false));
            add("</div>");
        }
        workers();
        runs.forEach(run -> add("%s", ServersSection.of(run)));
        return text();
    }

    private void workers() {
        add("<div class=\"grid\">");
        for (int i = 0; i < runs.size(); i++) {
            RunView run = runs.get(i);
            if (run.setting("graph") != null) {
                continue; // on a graph, a node only steps along its own gradient
            }
            double rounds = Math.max(1, run.summary().roundsDone());
            add("<section><h2>How often %s used each worker</h2>", escape(run.rule()));
            for (Summary.Worker worker : run.summary().workers()) {
                if (worker.worker() < 0) {
                    continue;
                }
                boolean lies = run.attacks(worker.worker());
                double share = worker.selected() / rounds;
                add(
                        "<div class=\"worker%s\"><span>%s %d</span><div class=\"track\">"
                                + "<b style=\"width:%.1f%%;background:%s\"></b></div>"
                                + "<span>%s</span></div>",
                        lies ? " lies" : "",
                        lies ? "attacker" : "worker",
                        worker.worker(),
                        100 * share,
                        color(i),
                        Numbers.percent(share));
            }
            add("<p class=\"note\">Share of rounds in which the worker's gradient had weight.</p>");
            add("</section>");
        }
        add("</div>");
    }
}
