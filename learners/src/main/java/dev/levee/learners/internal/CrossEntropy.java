package dev.levee.learners.internal;

/**
 * Computes the softmax cross-entropy of a batch of logits. It runs in Java even for a native
 * network, because there are few logits and each native call costs more than the computation.
 *
 * @param logits {@code size × classes}, row-major
 */
public record CrossEntropy(float[] logits, int size, int classes) {
    /**
     * Sum of the samples' losses.
     *
     * @param slope receives the gradient of the mean loss with respect to the logits, {@code size ×
     *     classes}
     */
    public double losses(int[] labels, float[] slope) {
        double loss = 0;
        double[] shares = new double[classes];
        for (int b = 0; b < size; b++) {
            loss += shares(b, labels[b], shares);
            shares[labels[b]] -= 1;
            for (int c = 0; c < classes; c++) {
                slope[b * classes + c] = (float) (shares[c] / size);
            }
        }
        return loss;
    }

    /** Sum of the samples' losses. */
    public double losses(int[] labels) {
        double loss = 0;
        double[] shares = new double[classes];
        for (int b = 0; b < size; b++) {
            loss += shares(b, labels[b], shares);
        }
        return loss;
    }

    /** Number of samples whose largest logit belongs to their class. */
    int correct(int[] labels) {
        int correct = 0;
        for (int b = 0; b < size; b++) {
            correct += largest(b) == labels[b] ? 1 : 0;
        }
        return correct;
    }

    /**
     * Computes the probabilities of one sample's classes, in double. {@link StrictMath} gives the
     * same bits in compiled and interpreted code, on every machine.
     */
    private double shares(int sample, int label, double[] shares) {
        int row = sample * classes;
        double largest = Double.NEGATIVE_INFINITY;
        for (int c = 0; c < classes; c++) {
            largest = Math.max(largest, logits[row + c]);
        }
        double sum = 0;
        for (int c = 0; c < classes; c++) {
            shares[c] = StrictMath.exp(logits[row + c] - largest);
            sum += shares[c];
        }
        for (int c = 0; c < classes; c++) {
            shares[c] /= sum;
        }
        return StrictMath.log(sum) - (logits[row + label] - largest);
    }

    /** The class with a sample's largest logit; ties go to the first class. */
    private int largest(int sample) {
        int row = sample * classes;
        int best = 0;
        for (int c = 1; c < classes; c++) {
            if (logits[row + c] > logits[row + best]) {
                best = c;
            }
        }
        return best;
    }
}
