package dev.levee.operators.rounds.optimizer;

/**
 * The start or the end of a step.
 *
 * @param x the parameters
 * @param moments the optimizer's vectors, each as long as the parameters
 */
public record Position(float[] x, float[][] moments) {
    /** A position of zeros, which a step can write to or start from. */
    public static Position zeros(int length, int moments) {
        return new Position(new float[length], new float[moments][length]);
    }
}
