package dev.levee.jobs.internal.run.follow;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.run.follow.JobProgress.Snapshot;

import java.util.List;
import java.util.Locale;

/** One line about how far several runs are. */
final class ProgressLine {
    private ProgressLine() {}

    /**
     * The line: the round, speed and remaining time of the run that will end last, and each run's
     * loss and score.
     *
     * @param rules name of each run's rule
     * @param waiting for each run whether it waits for gradients, which is said instead of a speed
     * @param rounds length of each run
     */
    static String of(
            List<String> rules, List<Snapshot> snapshots, List<Boolean> waiting, long rounds) {
        double done = Double.POSITIVE_INFINITY;
        double speed = 0;
        double left = 0;
        StringBuilder runs = new StringBuilder();
        for (int i = 0; i < snapshots.size(); i++) {
            Snapshot snapshot = snapshots.get(i);
            done = Math.min(done, Double.isNaN(snapshot.round()) ? 0 : snapshot.round());
            if (snapshot.roundsPerSecond() > 0 && snapshot.round() < rounds) {
                double needed = (rounds - snapshot.round()) / snapshot.roundsPerSecond();
                speed = needed > left ? snapshot.roundsPerSecond() : speed;
                left = Math.max(left, needed);
            }
            runs.append(" | ")
                    .append(rules.get(i))
                    .append(" loss ")
                    .append(Numbers.decimals(snapshot.loss(), 3))
                    .append(' ')
                    .append(snapshot.score().label())
                    .append(' ')
                    .append(Numbers.score(snapshot.score(), snapshot.scored()))
                    .append(teller(snapshot))
                    .append(snapshot.privacy().map(words -> ' ' + words).orElse(""))
                    .append(primary(snapshot));
        }
        String state = failed(rules, snapshots) + runs;
        int waits = waiting.indexOf(true);
        if (waits >= 0) {
            return waiting(snapshots.get(waits)) + state;
        }
        String round = String.format(Locale.ROOT, "round %.0f/%d", done, rounds);
        if (speed == 0) {
            return (done == 0 ? "starting" : done < rounds ? round : "finishing") + state;
        }
        return round
                + String.format(Locale.ROOT, "  %.1f rounds/s  ", speed)
                + duration(left)
                + " left"
                + state;
    }

    /** Who says so, if it is not the job. */
    private static String teller(Snapshot snapshot) {
        return Double.isNaN(snapshot.evaluator())
                ? ""
                : " told by " + KeyDirectory.name((int) snapshot.evaluator());
    }

    /** Which replica workers read since when, once they have left the first. */
    private static String primary(Snapshot snapshot) {
        return snapshot.primary()
                .filter(each -> each.round() > 0)
                .map(
                        each ->
                                " server %d read since round %d"
                                        .formatted(each.server(), each.round()))
                .orElse("");
    }

    /** Whose checkpoints fail, before what a narrow terminal would cut off. */
    private static String failed(List<String> rules, List<Snapshot> snapshots) {
        StringBuilder failed = new StringBuilder();
        for (int i = 0; i < snapshots.size(); i++) {
            if (snapshots.get(i).failed().isPresent()) {
                failed.append(" | ")
                        .append(rules.size() == 1 ? "" : rules.get(i) + ": ")
                        .append(snapshots.get(i).failed().get().words());
            }
        }
        return failed.toString();
    }

    private static String waiting(Snapshot snapshot) {
        return String.format(
                Locale.ROOT,
                "waiting for gradients of round %.0f, %.0f of %.0f there",
                snapshot.round(),
                snapshot.answered(),
                snapshot.quorum());
    }

    static String duration(double seconds) {
        long whole = Math.round(seconds);
        return whole < 3600
                ? "%d:%02d".formatted(whole / 60, whole % 60)
                : "%d:%02d:%02d".formatted(whole / 3600, whole / 60 % 60, whole % 60);
    }
}
