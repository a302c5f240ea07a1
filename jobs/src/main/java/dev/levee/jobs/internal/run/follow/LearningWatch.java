package dev.levee.jobs.internal.run.follow;

import dev.levee.jobs.internal.report.page.StalledTraining;

import java.util.Optional;

/** Detects whether a run has stopped learning, from losses that are sampled now and then. */
final class LearningWatch {
    /**
     * Minimum number of samples: with fewer, all of them may be among the worst rounds of a fast
     * run.
     */
    private static final int LEAST_LOOKS = 2;

    private final double guessing;
    private final long patience;
    private double since = Double.NaN;
    private int looks;
    private boolean said;

    /**
     * @param guessing loss of a model that guesses; NaN if unknown
     * @param rounds length of the run
     */
    LearningWatch(double guessing, long rounds) {
        this.guessing = guessing;
        this.patience = StalledTraining.patience(rounds);
    }

    /**
     * Adds a sample.
     *
     * @param round number of finished rounds; NaN if unknown
     * @param loss training loss of the last round; NaN if unknown
     * @return a stall, once when it is detected
     */
    Optional<StalledTraining> look(double round, double loss) {
        if (Double.isNaN(guessing) || Double.isNaN(round) || Double.isNaN(loss)) {
            return Optional.empty();
        }
        if (Double.isNaN(since) || StalledTraining.learns(loss, guessing)) {
            since = round;
            looks = 0;
            said = false;
            return Optional.empty();
        }
        looks++;
        if (said || looks < LEAST_LOOKS || round - since < patience) {
            return Optional.empty();
        }
        said = true;
        return Optional.of(new StalledTraining((long) (round - since), loss, guessing));
    }
}
