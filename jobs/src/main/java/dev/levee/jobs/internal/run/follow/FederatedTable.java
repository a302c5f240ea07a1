package dev.levee.jobs.internal.run.follow;

import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.summary.FederatedSummary;
import dev.levee.learners.Score;

import java.util.List;

/** The table at the end of federated runs. */
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
        return table.toString().stripTrailing();
    }

    /** A trained generator has no accuracy. */
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

    /** Samples with targets have no classes to balance. */
    private static String balance(FederatedSummary devices) {
        return Numbers.decimals(devices.classes() > 1 ? devices.lastKl() : Double.NaN, 4);
    }

    private static String covered(FederatedSummary devices) {
        if (devices.classes() == 1) {
            return "–";
        }
        Integer covered = devices.roundsTo95PercentOfClasses();
        return covered == null ? "never" : covered + (covered == 1 ? " round" : " rounds");
    }
}
