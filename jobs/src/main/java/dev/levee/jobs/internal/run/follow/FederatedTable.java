package dev.levee.jobs.internal.run.follow;

import dev.levee.federated.devices.Spread;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.summary.DeviceScores;
import dev.levee.jobs.internal.report.summary.FederatedSummary;
import dev.levee.learners.Score;

import java.util.List;

/** Formats the table at the end of federated runs. */
public final class FederatedTable {
    private FederatedTable() {}

    public static String of(List<RunView> runs) {
        int width = runs.stream().mapToInt(run -> run.rule().length()).max().orElse(0);
        String format =
                "%-" + Math.max(8, width) + "s  %14s  %13s  %10s  %8s  %21s  %18s  %9s  %9s%n";
        Score score = runs.get(0).summary().told().get(0);
        if (runs.stream().allMatch(run -> run.federated().images() != null)) {
            return generators(runs, Math.max(8, width));
        }
        StringBuilder table = new StringBuilder();
        table.append(
                format.formatted(
                        "sampling",
                        "final " + score.label(),
                        "best " + score.label(),
                        "final loss",
                        "rounds/s",
                        "95 % of classes after",
                        "KL(seen‖uniform)",
                        "MB moved",
                        "virtual s"));
        for (RunView run : runs) {
            FederatedSummary devices = run.federated();
            table.append(
                    format.formatted(
                            run.rule(),
                            Numbers.score(score, run.summary().finalScore(score)),
                            Numbers.score(score, run.summary().bestScore(score)),
                            Numbers.decimals(run.summary().finalLoss(), 3),
                            Numbers.decimals(run.summary().roundsPerSecond(), 1),
                            covered(devices),
                            balance(devices),
                            Numbers.decimals(devices.bytes() / 1e6, 1),
                            Numbers.decimals(devices.lastVirtualSecond(), 1)));
        }
        return table.toString().stripTrailing()
                + deviceScores(runs, Math.max(8, width))
                + quantiles(runs, Math.max(8, width));
    }

    /** A separate table of the quantiles of histograms; empty without histograms. */
    private static String quantiles(List<RunView> runs, int width) {
        List<RunView> counted =
                runs.stream().filter(run -> run.federated().histogram() != null).toList();
        if (counted.isEmpty()) {
            return "";
        }
        StringBuilder table = new StringBuilder("\n\n");
        table.append(("%-" + width + "s").formatted("sampling"));
        for (double level : counted.get(0).federated().histogram().levels()) {
            table.append("  %10s".formatted(Numbers.percent(level)));
        }
        for (RunView run : counted) {
            table.append(("%n%-" + width + "s").formatted(run.rule()));
            for (Double quantile : run.federated().histogram().quantiles()) {
                table.append("  %10s".formatted(Numbers.decimals(quantile, 4)));
            }
        }
        return table.toString();
    }

    /** A table of scores on devices' own samples; empty if there are none. */
    private static String deviceScores(List<RunView> runs, int width) {
        List<RunView> scored =
                runs.stream().filter(run -> run.federated().deviceScores() != null).toList();
        if (scored.isEmpty()) {
            return "";
        }
        String format = "%n%-" + width + "s  %-12s  %7s  %15s  %12s  %12s";
        StringBuilder table = new StringBuilder("\n");
        table.append(
                format.formatted(
                        "sampling",
                        "model",
                        "devices",
                        "mean " + scored.get(0).federated().deviceScores().label(),
                        "worst tenth",
                        "Jain's index"));
        for (RunView run : scored) {
            DeviceScores scores = run.federated().deviceScores();
            table.append(row(format, run, "server's", scores, scores.server()));
            if (scores.personal()) {
                table.append(row(format, run, "device's own", scores, scores.own()));
            }
        }
        return table.toString();
    }

    private static String row(
            String format, RunView run, String model, DeviceScores scores, Spread spread) {
        return format.formatted(
                run.rule(),
                model,
                spread.devices(),
                scores.number(spread.mean()),
                scores.number(spread.worstDecile()),
                Numbers.decimals(spread.jain(), 4));
    }

    /** A table of generators, which have no accuracy. */
    private static String generators(List<RunView> runs, int width) {
        String format = "%-" + width + "s  %16s  %15s  %10s  %8s  %21s  %18s  %9s%n";
        StringBuilder table = new StringBuilder();
        table.append(
                format.formatted(
                        "sampling",
                        "Fréchet distance",
                        "classes covered",
                        "final loss",
                        "rounds/s",
                        "95 % of classes after",
                        "KL(seen‖uniform)",
                        "MB moved"));
        for (RunView run : runs) {
            FederatedSummary devices = run.federated();
            table.append(
                    format.formatted(
                            run.rule(),
                            Numbers.decimals(devices.images().lastFrechet(), 2),
                            Numbers.percent(devices.images().lastCoverage()),
                            Numbers.decimals(run.summary().finalLoss(), 3),
                            Numbers.decimals(run.summary().roundsPerSecond(), 2),
                            covered(devices),
                            balance(devices),
                            Numbers.decimals(devices.bytes() / 1e6, 1)));
        }
        return table.toString().stripTrailing();
    }

    /** The balance of the seen classes; samples with targets have none. */
    private static String balance(FederatedSummary devices) {
        return Numbers.decimals(devices.classes() > 1 ? devices.lastKl() : null, 4);
    }

    private static String covered(FederatedSummary devices) {
        if (devices.classes() == 1) {
            return "–";
        }
        Integer covered = devices.roundsTo95PercentOfClasses();
        return covered == null ? "never" : covered + (covered == 1 ? " round" : " rounds");
    }
}
