package dev.levee.jobs.internal.report.page;

import dev.levee.jobs.internal.report.markup.Numbers;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A training that has stopped learning, or not begun to: for a tenth of the run, and at least for
 * {@value #LEAST_ROUNDS} rounds, its loss was that of a model which guesses.
 *
 * @param rounds for how many rounds
 * @param loss mean training loss in them; NaN if it is not finite any more
 * @param guessing loss of a model that gives all classes the same chance
 */
public record Stall(long rounds, double loss, double guessing) {
    private static final int LEAST_ROUNDS = 20;

    /** Answers that follow nothing but how frequent classes are come this close to guessing. */
    private static final double BELOW = 0.995;

    /** True if this loss shows that something was learned. */
    public static boolean learns(double loss, double guessing) {
        return loss < BELOW * guessing;
    }

    /** Number of rounds without learning that count as a stall. */
    public static long patience(long rounds) {
        return Math.max(LEAST_ROUNDS, rounds / 10);
    }

    /** The stall of a run that has ended; empty if it learned to its end, or this is unknown. */
    public static Optional<Stall> of(RunView run) {
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
                : Optional.of(new Stall(window, loss.orElse(Double.NaN), guessing));
    }

    /** Describes the stall, to follow the name of the run. */
    public String words() {
        return "is not learning: in the last %d rounds its training loss was %s, and guessing gives %s"
                .formatted(
                        rounds,
                        Double.isFinite(loss) ? Numbers.decimals(loss, 3) : "not finite",
                        Numbers.decimals(guessing, 3));
    }

    /** The same with what to try, of a run that has ended. */
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

    /** A sentence for each run that has stopped learning, its name first. */
    public static List<String> sentences(List<RunView> runs) {
        return runs.stream()
                .flatMap(run -> of(run).map(stall -> run.rule() + " " + stall.words(run)).stream())
                .toList();
    }
}
