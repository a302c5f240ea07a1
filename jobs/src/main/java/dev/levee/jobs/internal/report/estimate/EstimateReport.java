package dev.levee.jobs.internal.report.estimate;

import static dev.levee.jobs.internal.report.markup.Html.escape;

import dev.levee.estimation.Effect;
import dev.levee.estimation.Estimate;
import dev.levee.estimation.Nuisance;
import dev.levee.estimation.NuisanceFunction;
import dev.levee.estimation.Sensitivity;
import dev.levee.estimation.TreatmentEstimate;
import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.Markup;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.summary.Provenance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the HTML page about an estimate. */
final class EstimateReport extends Markup {
    private static final double WIDEST_RESIDUAL = 4;
    private static final int OVERLAP_BINS = 20;

    private final Estimate estimate;

    private EstimateReport(Estimate estimate) {
        this.estimate = estimate;
    }

    static String page(
            Estimate estimate,
            Provenance provenance,
            Map<String, Object> configuration,
            CostModel costs) {
        EstimateReport report = new EstimateReport(estimate);
        report.head(configuration);
        report.effects();
        for (Effect each : estimate.effects()) {
            report.charts(each);
        }
        report.sensitivity();
        report.nuisances();
        report.costs(costs);
        report.foot(provenance, configuration);
        return report.text();
    }

    private void head(Map<String, Object> configuration) {
        List<String> names = estimate.effects().stream().map(Effect::treatment).toList();
        add("%s", Html.head("effects"));
        add(
                "<h1>Effect of %s on %s</h1>",
                escape(String.join(", ", names)),
                escape(String.valueOf(configuration.get("outcome"))));
        add(
                "<p class=\"lead\">Double machine learning on %,d observations: model %s, score %s,"
                        + " %d folds, %s. %,d fits of nuisance functions.</p>",
                estimate.observations(),
                estimate.specification().model().name().toLowerCase(Locale.ROOT),
                estimate.specification().score().label(),
                estimate.specification().folds(),
                estimate.specification().repetitions() == 1
                        ? "1 repetition"
                        : estimate.specification().repetitions() + " repetitions",
                estimate.fits());
    }

    private void effects() {
        String level = Numbers.percent(estimate.specification().level());
        boolean joint = Double.isFinite(estimate.criticalValue());
        List<String> headings = new ArrayList<>();
        headings.addAll(List.of("Treatment", "Coefficient", "Standard error", "t", "p"));
        headings.add(level + " interval");
        if (joint) {
            headings.add("Joint interval");
        }
        add("<section>%s", Html.table(headings));
        for (Effect each : estimate.effects()) {
            add(
                    "<tr><th scope=\"row\">%s</th><td"
                            + " class=\"big\">%.4f</td><td>%.4f</td><td>%.2f</td><td>%s</td><td>%.4f to"
                            + " %.4f</td>",
                    escape(each.treatment()),
                    each.coefficient(),
                    each.standardError(),
                    each.t(),
                    probability(each.p()),
                    each.lower(),
                    each.upper());
            if (joint) {
                add("<td>%.4f to %.4f</td>", each.jointLower(), each.jointUpper());
            }
            add("</tr>");
        }
        add("%s", Html.TABLE_END);
        if (estimate.specification().repetitions() > 1) {
            add(
                    "<p class=\"note\">Medians over repetitions; standard errors include how far"
                            + " repetitions are apart.</p>");
        }
        add("</section>");
    }

    /** Formats a probability in the usual notation of statistics. */
    static String probability(double p) {
        return p < 0.0001 ? "&lt;0.0001" : String.format(Locale.ROOT, "%.4f", p);
    }

    private void charts(Effect effect) {
        String name = escape(effect.treatment());
        List<TreatmentEstimate> repetitions = effect.repetitions();
        int count = repetitions.size();
        double[] thetas = new double[count];
        double[] lower = new double[count];
        double[] upper = new double[count];
        double half = (effect.upper() - effect.coefficient()) / effect.standardError();
        for (int m = 0; m < count; m++) {
            thetas[m] = repetitions.get(m).theta();
            lower[m] = thetas[m] - half * repetitions.get(m).standardError();
            upper[m] = thetas[m] + half * repetitions.get(m).standardError();
        }
        add("<div class=\"grid\">");
        add("<section><h2>%s: estimates over repetitions</h2><div class=\"key\">", name);
        key(Html.color(0), "estimate and its interval");
        key(Html.color(1), "median");
        add(
                "</div>%s</section>",
                EffectCharts.intervals(
                        "Effect of " + name, thetas, lower, upper, effect.coefficient()));
        TreatmentEstimate first = repetitions.get(0);
        if (first.overlap().length > 0) {
            overlap(name, first);
        }
        add("<section><h2>%s: residuals of the outcome</h2>", name);
        add(
                "%s",
                EffectCharts.histogram(
                        "Residuals of the outcome",
                        List.of(
                                new EffectCharts.Bars(
                                        "residuals", Html.color(0), first.residuals())),
                        -WIDEST_RESIDUAL,
                        WIDEST_RESIDUAL,
                        "standard deviations"));
        add(
                "<p class=\"note\">Of the first repetition, out of sample. One standard deviation"
                        + " is %.4g; the outermost bars include everything"
                        + " beyond.</p></section></div>",
                first.residualDeviation());
    }

    private void overlap(String name, TreatmentEstimate first) {
        int[] untreated = Arrays.copyOfRange(first.overlap(), 0, OVERLAP_BINS);
        int[] treated = Arrays.copyOfRange(first.overlap(), OVERLAP_BINS, 2 * OVERLAP_BINS);
        String zero = instrument() ? "instrument 0" : "untreated";
        String one = instrument() ? "instrument 1" : "treated";
        add("<section><h2>%s: overlap of propensities</h2><div class=\"key\">", name);
        key(Html.color(0), zero);
        key(Html.color(1), one);
        add(
                "</div>%s",
                EffectCharts.histogram(
                        "Overlap of propensities",
                        List.of(
                                new EffectCharts.Bars(zero, Html.color(0), untreated),
                                new EffectCharts.Bars(one, Html.color(1), treated)),
                        0,
                        1,
                        "propensity"));
        add(
                "<p class=\"note\">Of the first repetition, trimmed to %s from 0 and 1. Where only"
                        + " one color is shown, the other arm has no comparable units.</p></section>",
                estimate.specification().trimming());
    }

    private boolean instrument() {
        return estimate.specification().score().hasInstrument();
    }

    private void key(String color, String name) {
        add("<span><i style=\"background:%s\"></i>%s</span>", color, name);
    }

    private void sensitivity() {
        if (estimate.effects().stream().allMatch(each -> each.sensitivity() == null)) {
            return;
        }
        List<String> headings =
                List.of(
                        "Treatment",
                        "Bounds of the effect",
                        "With confidence",
                        "Robustness value",
                        "With confidence");
        add("<section><h2>If a variable was omitted</h2>%s", Html.table(headings));
        for (Effect each : estimate.effects()) {
            Sensitivity told = each.sensitivity();
            if (told != null) {
                add(
                        "<tr><th scope=\"row\">%s</th><td>%.4f to %.4f</td><td>%.4f to"
                                + " %.4f</td><td>%s</td><td>%s</td></tr>",
                        escape(each.treatment()),
                        told.lower(),
                        told.upper(),
                        told.lowerLimit(),
                        told.upperLimit(),
                        Numbers.percent(told.robustness()),
                        Numbers.percent(told.robustnessWithConfidence()));
            }
        }
        var assumed = estimate.specification().sensitivity();
        add("%s", Html.TABLE_END);
        add(
                "<p class=\"note\">Bounds if it explains %s of the outcome's residual variance and"
                        + " %s of the treatment's, with correlation %s. The robustness value is how"
                        + " much of both it would have to explain before the bounds contain"
                        + " %s.</p></section>",
                Numbers.percent(assumed.cfY()),
                Numbers.percent(assumed.cfD()),
                assumed.rho(),
                assumed.nullHypothesis());
    }

    private void nuisances() {
        List<NuisanceFunction> functions = estimate.functions();
        boolean propensity = estimate.specification().score().hasPropensity();
        List<String> headings = new ArrayList<>(List.of("Function", "Learner", "Loss"));
        estimate.effects().forEach(each -> headings.add(escape(each.treatment())));
        add("<section><h2>Nuisance functions</h2>%s", Html.table(headings));
        for (int q = 0; q < functions.size(); q++) {
            Nuisance kind = functions.get(q).kind();
            add(
                    "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>",
                    escape(functions.get(q).label()),
                    escape(estimate.specification().learners().get(kind).text()),
                    propensity && kind == Nuisance.M ? "log loss" : "RMSE");
            for (Effect each : estimate.effects()) {
                add("<td>%.4g</td>", each.losses()[q]);
            }
            add("</tr>");
        }
        add("%s<p class=\"note\">Out of sample, means over repetitions.</p>", Html.TABLE_END);
        add("</section>");
    }

    private void costs(CostModel costs) {
        List<String> headings =
                List.of("Scaling", "Tasks", "Mean, s", "Longest, s", "GB-seconds", "Cost");
        add("<section><h2>As calls of a function service</h2>%s", Html.table(headings));
        for (CostModel.Scaling each : costs.scalings(estimate)) {
            add(
                    "<tr><th scope=\"row\">%s</th><td>%,d</td><td>%.3f</td><td>%s</td><td>%.1f</td>"
                            + "<td>%.4f</td></tr>",
                    each.scaling(),
                    each.tasks(),
                    each.meanSeconds(),
                    Double.isNaN(each.longestSeconds())
                            ? "–"
                            : String.format(Locale.ROOT, "%.3f", each.longestSeconds()),
                    each.gbSeconds(),
                    each.cost());
        }
        add(
                Html.TABLE_END
                        + "<p class=\"note\">A task is one fit, or all fits of a sample split."
                        + " Fits took %.1f s, all together; with %.3g GB for a task, a service"
                        + " bills GB-seconds, here at %.3g each. Run in parallel, they take as"
                        + " long as the longest.</p></section>",
                estimate.times().seconds(),
                costs.gigabytes(),
                costs.price());
    }

    private void foot(Provenance provenance, Map<String, Object> configuration) {
        add("<section><h2>Configuration</h2><dl>");
        configuration.forEach(
                (name, value) ->
                        add(
                                "<div><dt>%s</dt><dd>%s</dd></div>",
                                escape(name), escape(String.valueOf(value))));
        add(
                "</dl></section><p class=\"note\">%s</p>%s",
                escape(provenance.sentence()), Html.foot());
    }
}
