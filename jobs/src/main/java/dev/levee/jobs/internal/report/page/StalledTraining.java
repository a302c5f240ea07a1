package dev.levee.jobs.internal.report.page;

import dev.levee.jobs.internal.report.markup.Numbers;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A training that does not learn: for a tenth of the run, and for at least {@value #LEAST_ROUNDS}
 * rounds, its loss was no better than guessing.
 *
 * @param rounds number of these rounds
 * @param loss mean training loss in these rounds; NaN if it is no longer finite
 * @param guessing loss of a model that gives all classes the same chance
 */
public record StalledTraining(long rounds, double loss, double guessing) {
    private static final int LEAST_ROUNDS = 20;

    /**
     * A loss below this share of the guessing loss shows learning. A model that only learns class
     * frequencies stays above it.
     */
    private static final double BELOW = 0.995;

    /** True if this loss is clearly better than guessing. */
    public static boolean learns(double loss, double guessing) {
        return loss < BELOW * guessing;
    }

    /** Number of rounds without learning that count as a stall. */
    public static long patience(long rounds) {
        return Math.max(LEAST_ROUNDS, rounds / 10);
    }

    /**
     * The stall at the end of a run; empty if the run learned until its end, or if this is unknown.
     */
    public static Optional<StalledTraining> of(RunView run) {
        Double guessing = run.summary().guessingLoss();
        List<RunView.Point> points =
                run.points().stream().filter(point -> point.version() > 0).toList();
        long rounds = run.summary().roundsDone();
        long window = patience(rounds);
        if (guessing == null
                || rounds < window
                || points.stream().allMatch(point -> Double.isNaN(point.trainingLoss()))) {
            return Optional.empty();
        }
        OptionalDouble loss =
                points.stream()
                        .filter(point -> point.version() > rounds - window)
                        .mapToDouble(RunView.Point::trainingLoss)
                        .filter(Double::isFinite)
                        .average();
        return loss.isPresent() && learns(loss.getAsDouble(), guessing)
                ? Optional.empty()
                : Optional.of(new StalledTraining(window, loss.orElse(Double.NaN), guessing));
    }

    /** Describes the stall in words that follow the name of the run. */
    public String words() {
        return "is not learning: in the last %d rounds its training loss was %s, and guessing gives %s"
                .formatted(
                        rounds,
                        Double.isFinite(loss) ? Numbers.decimals(loss, 3) : "not finite",
                        Numbers.decimals(guessing, 3));
    }

    /** Describes the stall of a run that has ended, with advice. */
    String words(RunView run) {
        if (run.attackersShare() > 0) {
            return words()
                    + ". Gradients of attackers had weight: try an --aggregator that tolerates"
                    + " them.";
        }
        return words()
                + (run.setting("learning-rate") instanceof Number rate
                        ? ". Try --learning-rate " + (float) (rate.doubleValue() / 10) + "."
                        : ". Try a tenth of the learning rate.");
    }

    /** A sentence for each stalled run, starting with its name. */
    public static List<String> sentences(List<RunView> runs) {
        return runs.stream()
                .flatMap(run -> of(run).map(stall -> run.rule() + " " + stall.words(run)).stream())
                .toList();
    }
}
