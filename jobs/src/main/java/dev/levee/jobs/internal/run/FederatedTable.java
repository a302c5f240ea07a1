package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.report.FederatedSummary;
import dev.levee.jobs.internal.report.Numbers;
import dev.levee.jobs.internal.report.RunView;

import java.util.List;

/** The table at the end of federated runs. */
final class FederatedTable {
    private FederatedTable() {}

    static String of(List<RunView> runs) {
        int width = runs.stream().mapToInt(run -> run.rule().length()).max().orElse(0);
        String format =
                "%-" + Math.max(8, width) + "s  %14s  %13s  %10s  %8s  %21s  %18s  %9s  %9s%n";
        StringBuilder table = new StringBuilder();
        table.append(
                format.formatted(
                        "sampling",
                        "final accuracy",
                        "best accuracy",
                        "final loss",
                        "rounds/s",
                        "95 % of classes after",
                        "KL(seen‖uniform)",
                        "MB moved",
                        "virtual s"));
        for (RunView run : runs) {
            FederatedSummary devices = run.federated();
            Integer covered = devices.roundsTo95PercentOfClasses();
            table.append(
                    format.formatted(
                            run.rule(),
                            Numbers.percent(run.summary().finalAccuracy()),
                            Numbers.percent(run.summary().bestAccuracy()),
                            Numbers.decimals(run.summary().finalLoss(), 3),
                            Numbers.decimals(run.summary().roundsPerSecond(), 1),
                            covered == null
                                    ? "never"
                                    : covered + (covered == 1 ? " round" : " rounds"),
                            Numbers.decimals(devices.lastKl(), 4),
                            Numbers.decimals(devices.bytes() / 1e6, 1),
                            Numbers.decimals(devices.lastVirtualSecond(), 1)));
        }
        return table.toString().stripTrailing();
    }
}
