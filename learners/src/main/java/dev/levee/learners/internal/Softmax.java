package dev.levee.learners.internal;

/**
 * Softmax cross-entropy over one column of a {@code classes × size} matrix, in double. {@link
 * StrictMath} gives the same bits compiled or interpreted, on every machine.
 */
final class Softmax {
    private Softmax() {}

    /**
     * Probability of each class.
     *
     * @param logits {@code classes × size}, row-major
     * @param column which column
     * @param label the sample's class
     * @param shares receives the probabilities
     * @return cross-entropy of the sample: −ln of its class's probability
     */
    static double shares(float[] logits, int column, int size, int label, double[] shares) {
        double largest = Double.NEGATIVE_INFINITY;
        for (int c = 0; c < shares.length; c++) {
            largest = Math.max(largest, logits[c * size + column]);
        }
        double sum = 0;
        for (int c = 0; c < shares.length; c++) {
            shares[c] = StrictMath.exp(logits[c * size + column] - largest);
            sum += shares[c];
        }
        for (int c = 0; c < shares.length; c++) {
            shares[c] /= sum;
        }
        return StrictMath.log(sum) - (logits[label * size + column] - largest);
    }

    /** The class of the largest logit of a column, the first of equal ones. */
    static int largest(float[] logits, int column, int size, int classes) {
        int best = 0;
        for (int c = 1; c < classes; c++) {
            if (logits[c * size + column] > logits[best * size + column]) {
                best = c;
            }
        }
        return best;
    }
}
