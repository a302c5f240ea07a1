package dev.levee.jobs.internal.run.follow;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.run.follow.JobProgress.Snapshot;

import java.util.List;
import java.util.Locale;

/** Formats the progress of several runs in a line. */
final class ProgressLine {
    private ProgressLine() {}

    /**
     * Returns the line. It has the round, speed and remaining time of the run that will end last,
     * the round of each run if there are several, and each run's loss and score.
     *
     * @param rules name of each run's rule
     * @param waiting for each run, whether it waits for gradients, which is shown instead of a
     *     speed
     * @param rounds length of each run
     */
    static String of(
            List<String> rules, List<Snapshot> snapshots, List<Boolean> waiting, long rounds) {
        StringBuilder runs = new StringBuilder();
        Snapshot last = snapshots.get(0);
        for (int i = 0; i < snapshots.size(); i++) {
            Snapshot snapshot = snapshots.get(i);
            last = secondsLeft(snapshot, rounds) > secondsLeft(last, rounds) ? snapshot : last;
            runs.append(" | ")
                    .append(rules.get(i))
                    .append(snapshots.size() == 1 ? "" : ' ' + place(snapshot, rounds))
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
        double left = secondsLeft(last, rounds);
        if (left == 0) {
            return "finishing" + state;
        }
        if (Double.isInfinite(left)) {
            return (Double.isNaN(last.round()) ? "starting" : round(last) + "/" + rounds) + state;
        }
        return round(last)
                + "/"
                + rounds
                + String.format(Locale.ROOT, "  %.1f rounds/s  ", last.roundsPerSecond())
                + Numbers.duration(left)
                + " left"
                + state;
    }

    /** Remaining seconds of a run; infinite while unknown. */
    private static double secondsLeft(Snapshot snapshot, long rounds) {
        if (snapshot.ended() || snapshot.round() >= rounds) {
            return 0;
        }
        return snapshot.roundsPerSecond() > 0
                ? (rounds - snapshot.round()) / snapshot.roundsPerSecond()
                : Double.POSITIVE_INFINITY;
    }

    /** The round of a run among several. */
    private static String place(Snapshot snapshot, long rounds) {
        if (secondsLeft(snapshot, rounds) == 0) {
            return "done";
        }
        return Double.isNaN(snapshot.round()) ? "starting" : round(snapshot);
    }

    private static String round(Snapshot snapshot) {
        return String.format(Locale.ROOT, "round %.0f", snapshot.round());
    }

    /** The worker that evaluated, empty if the job did. */
    private static String teller(Snapshot snapshot) {
        return Double.isNaN(snapshot.evaluator())
                ? ""
                : " reported by " + KeyDirectory.name((int) snapshot.evaluator());
    }

    /** The primary and the first round in which it was read from, unless it is the first server. */
    private static String primary(Snapshot snapshot) {
        return snapshot.primary()
                .filter(each -> each.round() > 0)
                .map(
                        each ->
                                " server %d read since round %d"
                                        .formatted(each.server(), each.round()))
                .orElse("");
    }

    /**
     * Failed checkpoints. They come early in the line, because a narrow terminal cuts off its end.
     */
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
}
