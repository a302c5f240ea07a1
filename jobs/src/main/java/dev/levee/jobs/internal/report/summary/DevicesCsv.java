package dev.levee.jobs.internal.report.summary;

import dev.levee.operators.rounds.report.LocalScore;

import java.util.List;

/** Writes {@code devices.csv}: the scores on each device's held-out samples in its last round. */
public final class DevicesCsv {
    private DevicesCsv() {}

    public static String of(List<LocalScore> scores) {
        StringBuilder csv =
                new StringBuilder("device,round,samples,score,server,own,server_loss,own_loss\n");
        for (LocalScore each : scores) {
            List<Object> cells =
                    List.of(
                            each.participant(),
                            each.round(),
                            each.samples(),
                            each.score() == null ? "" : each.score().key(),
                            each.server(),
                            each.own(),
                            each.serverLoss(),
                            each.ownLoss());
            csv.append(String.join(",", cells.stream().map(String::valueOf).toList()));
            csv.append('\n');
        }
        return csv.toString();
    }
}
