package dev.levee.gar;

/**
 * A rule whose scores come from a gradient v that the server computes on its own data, instead of
 * from the loss. The caller passes the results of {@link #score} as {@link Round#scores}.
 */
public interface GradientScored extends Rule {
    /**
     * The score of a row g.
     *
     * @param product ⟨v, g⟩
     * @param reference ‖v‖²
     * @param row ‖g‖²
     * @param learningRate γ, the server's step size, above 0
     */
    double score(double product, double reference, double row, double learningRate);

    @Override
    default boolean needsScores() {
        return true;
    }
}
