package dev.levee.jobs.internal.tracking;

import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.summary.Provenance;
import dev.levee.learners.Score;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Lists the values of a finished run under the names that trackers show. */
final class History {
    /** Names of the values that are recorded during a run. */
    static final String PROGRESS_LOSS = "progress/loss";

    static final String PROGRESS_SPEED = "progress/rounds_per_second";

    /** Receives one value. */
    @FunctionalInterface
    interface Point {
        void take(String name, double value, long step, Instant when) throws IOException;
    }

    private History() {}

    /** The name of a score that is recorded during a run. */
    static String progress(Score score) {
        return "progress/" + score.key();
    }

    /**
     * Passes all values of a run to {@code point}. Versions have no time of their own, so they are
     * spread evenly between the start and the end of the run.
     */
    static void of(RunView view, Point point) throws IOException {
        List<RunView.Point> points = view.points();
        Provenance provenance = view.summary().provenance();
        Instant start = Instant.parse(provenance.started());
        Duration length = Duration.between(start, Instant.parse(provenance.finished()));
        long last = points.isEmpty() ? 0 : points.get(points.size() - 1).version();
        for (RunView.Point each : points) {
            double share = last == 0 ? 1 : (double) each.version() / last;
            Instant when = start.plusMillis(Math.round(length.toMillis() * share));
            long step = each.version();
            point.take("train/loss", each.trainingLoss(), step, when);
            point.take("train/workers", each.workers(), step, when);
            point.take("train/batch", each.batch(), step, when);
            point.take("train/progress", each.progress(), step, when);
            point.take("train/gain", each.gain(), step, when);
            point.take("train/noise_scale", each.noiseScale(), step, when);
            point.take("test/loss", each.testLoss(), step, when);
            for (Score score : view.summary().told()) {
                point.take("test/" + score.key(), each.score(score), step, when);
            }
        }
    }
}
