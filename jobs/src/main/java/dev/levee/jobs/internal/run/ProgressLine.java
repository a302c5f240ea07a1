package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.report.Numbers;
import dev.levee.jobs.internal.run.JobProgress.Moment;

import java.util.List;
import java.util.Locale;

/** One line about how far several runs are. */
final class ProgressLine {
    private ProgressLine() {}

    /**
     * The line: the round, speed and remaining time of the run that will end last, and each run's
     * loss and accuracy.
     *
     * @param rules name of each run's rule
     * @param waiting for each run whether it waits for gradients, which is said instead of a speed
     * @param rounds length of each run
     */
    static String of(List<String> rules, List<Moment> moments, List<Boolean> waiting, long rounds) {
        double done = Double.POSITIVE_INFINITY;
        double speed = 0;
        double left = 0;
        StringBuilder runs = new StringBuilder();
        for (int i = 0; i < moments.size(); i++) {
            Moment moment = moments.get(i);
            done = Math.min(done, Double.isNaN(moment.round()) ? 0 : moment.round());
            if (moment.roundsPerSecond() > 0 && moment.round() < rounds) {
                double needed = (rounds - moment.round()) / moment.roundsPerSecond();
                speed = needed > left ? moment.roundsPerSecond() : speed;
                left = Math.max(left, needed);
            }
            runs.append(" | ")
                    .append(rules.get(i))
                    .append(" loss ")
                    .append(Numbers.decimals(moment.loss(), 3))
                    .append(" accuracy ")
                    .append(Numbers.percent(moment.accuracy()));
        }
        int waits = waiting.indexOf(true);
        if (waits >= 0) {
            return waiting(moments.get(waits)) + runs;
        }
        if (speed == 0) {
            return (done == 0 ? "starting" : "finishing") + runs;
        }
        return String.format(Locale.ROOT, "round %.0f/%d", done, rounds)
                + String.format(Locale.ROOT, "  %.1f rounds/s  ", speed)
                + duration(left)
                + " left"
                + runs;
    }

    private static String waiting(Moment moment) {
        return String.format(
                Locale.ROOT,
                "waiting for gradients of round %.0f, %.0f of %.0f there",
                moment.round(),
                moment.answered(),
                moment.quorum());
    }

    private static String duration(double seconds) {
        long whole = Math.round(seconds);
        return whole < 3600
                ? "%d:%02d".formatted(whole / 60, whole % 60)
                : "%d:%02d:%02d".formatted(whole / 3600, whole / 60 % 60, whole % 60);
    }
}
