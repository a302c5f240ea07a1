package dev.levee.operators.rounds.coding;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.Rule;
import dev.levee.operators.rounds.plan.Elasticity;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kind of gradient code of a run. It determines three parts of a training: the workers' work,
 * the rule that decodes, and the number of answers that close a round.
 *
 * @param kind the family of codes
 * @param stragglers s: each worker computes s + 1 shares
 */
public record Coding(Kind kind, int stragglers) {
    /** Families of codes. */
    public enum Kind {
        /** {@link Fractional}: the same bits from any n − s answers. */
        FRACTIONAL,
        /** {@link Cyclic}: works for any n; results are exact up to rounding. */
        CYCLIC,
        /** {@link Approximate}: one of the others, and continues with fewer answers. */
        APPROXIMATE
    }

    private static final Pattern FORM =
            Pattern.compile("(fractional|cyclic|approximate)\\(\\s*([1-9]\\d{0,3})\\s*\\)");

    /**
     * Reads a code such as {@code fractional(2)}.
     *
     * @throws IllegalArgumentException if the text is not a code; one sentence
     */
    public static Coding parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        require(
                matcher.matches(),
                "{coding} must be fractional(s), cyclic(s) or approximate(s) with a whole number s of"
                        + " at least 1, got %s",
                text);
        return new Coding(
                Kind.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)),
                Integer.parseInt(matcher.group(2)));
    }

    /** The text that {@link #parse} reads. */
    @Override
    public String toString() {
        return kind.toString().toLowerCase(Locale.ROOT) + "(" + stragglers + ")";
    }

    /**
     * The code for a number of workers.
     *
     * @param seed of the code's random choices
     * @throws IllegalArgumentException if there is none; one sentence
     */
    public GradientCode code(int workers, long seed) {
        require(
                stragglers < workers,
                "{coding} %s needs more than %s {workers}, got %s",
                this,
                stragglers,
                workers);
        return switch (kind) {
            case FRACTIONAL -> new Fractional(workers, stragglers);
            case CYCLIC -> Cyclic.of(workers, stragglers, seed);
            case APPROXIMATE ->
                    new Approximate(
                            workers % (stragglers + 1) == 0
                                    ? new Fractional(workers, stragglers)
                                    : Cyclic.of(workers, stragglers, seed));
        };
    }

    /**
     * Default number of answers that close a round: n − s, and 2f more if f workers may be
     * Byzantine.
     */
    public int quorum(int workers, int f) {
        int wanted = workers - stragglers + 2 * f;
        return Math.max(1, wanted <= workers - f ? wanted : workers);
    }

    /** The work of a worker in a round with this code. */
    public static Work work(GradientCode code) {
        return new CodedWork(code);
    }

    /**
     * The work of a worker in a round of a plan.
     *
     * @throws IllegalArgumentException if the code is not for it; one sentence
     */
    public static Work work(GradientCode code, Plan plan) {
        return plan instanceof Elasticity
                ? new ElasticWork(repeated(code).stragglers())
                : work(code);
    }

    /**
     * The rule that decodes in a plan.
     *
     * @throws IllegalArgumentException if the code is not for it, or cannot find Byzantine workers;
     *     one sentence
     */
    public static Rule rule(GradientCode code, int f, Plan plan) {
        Rule rule = rule(code, f);
        return plan instanceof Elasticity
                ? new ElasticRule(repeated(code).stragglers(), f > 0)
                : rule;
    }

    private static Fractional repeated(GradientCode code) {
        require(
                code instanceof Fractional,
                "{coding} %s cannot follow workers that come and go, because its result depends on"
                        + " which of them answered: with {elastic} use fractional(s), whose bits"
                        + " do not",
                code.name());
        return (Fractional) code;
    }

    /**
     * The rule that decodes.
     *
     * @param f how many workers may be Byzantine
     * @throws IllegalArgumentException if the code cannot find Byzantine workers; one sentence
     */
    public static Rule rule(GradientCode code, int f) {
        if (code instanceof Fractional fractional) {
            require(
                    code.stragglers() >= 2L * f,
                    "{coding} %s has %s copies of each share, and {byzantine} %s needs 2f + 1 = %s of"
                            + " them",
                    code.name(),
                    code.stragglers() + 1,
                    f,
                    2L * f + 1);
            return new RepetitionRule(fractional, f > 0);
        }
        if (f == 0) {
            return new DecodingRule(code);
        }
        require(
                code instanceof Cyclic,
                "{coding} %s cannot identify faulty workers: {byzantine} must be 0, or use"
                        + " fractional(s) or cyclic(s) with s ≥ 2f, got %s",
                code.name(),
                f);
        Cyclic cyclic = (Cyclic) code;
        require(
                code.stragglers() >= 2L * f,
                "{coding} %s has %s answers more than it needs, and {byzantine} %s needs 2f = %s of"
                        + " them",
                code.name(),
                code.stragglers(),
                f,
                2L * f);
        require(
                cyclic.circulant(),
                "{coding} %s of %s {workers} cannot identify faulty workers, because n − s must be"
                        + " odd: use cyclic(%s), or another number of {workers}",
                code.name(),
                code.workers(),
                code.stragglers() + 1);
        return new LocatingRule(cyclic);
    }

    /** The code that a training's rule decodes, empty if there is none, or no training. */
    public static Optional<GradientCode> of(Training training) {
        return Optional.ofNullable(training)
                .map(Training::rule)
                .filter(CodeRule.class::isInstance)
                .map(rule -> ((CodeRule) rule).code());
    }
}
