package dev.levee.operators.rounds.coding;

/**
 * A code that also decodes from fewer than n − s answers: to the least-squares approximation a =
 * argmin ‖aB − 1‖, whose error {@link Decoding#residual} tells.
 *
 * @param exact the code, which is exact from n − s answers on
 */
public record Approximate(GradientCode exact) implements GradientCode {
    @Override
    public String name() {
        return "approximate(" + stragglers() + ")";
    }

    @Override
    public int workers() {
        return exact.workers();
    }

    @Override
    public int stragglers() {
        return exact.stragglers();
    }

    @Override
    public int[] shares(int worker) {
        return exact.shares(worker);
    }

    @Override
    public double[] coefficients(int worker) {
        return exact.coefficients(worker);
    }

    @Override
    public Decoding decode(int[] answers) {
        return exact.decode(answers);
    }

    @Override
    public int fewestAnswers() {
        return 1;
    }
}
