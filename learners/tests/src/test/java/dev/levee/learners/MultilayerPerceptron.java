package dev.levee.learners;

/** The loss of mnist-cnn in double by plain loops, to compare with. */
final class MultilayerPerceptron {
    private static final int INPUTS = 784;
    private static final int HIDDEN = 100;
    private static final int CLASSES = 10;
    private static final int SECOND = (INPUTS + 1) * HIDDEN;

    private MultilayerPerceptron() {}

    /** Mean cross-entropy with coordinate {@code moved} moved by {@code by}. */
    static double loss(float[] parameters, Samples samples, int moved, double by) {
        double[] flat = new double[parameters.length];
        for (int i = 0; i < flat.length; i++) {
            flat[i] = parameters[i] + (i == moved ? by : 0);
        }
        double loss = 0;
        for (int s = 0; s < samples.size(); s++) {
            double[] hidden = new double[HIDDEN];
            for (int h = 0; h < HIDDEN; h++) {
                double sum = flat[INPUTS * HIDDEN + h];
                for (int i = 0; i < INPUTS; i++) {
                    sum += flat[h * INPUTS + i] * samples.features()[s * INPUTS + i];
                }
                hidden[h] = Math.max(0, sum);
            }
            double total = 0;
            double own = 0;
            for (int c = 0; c < CLASSES; c++) {
                double logit = flat[SECOND + CLASSES * HIDDEN + c];
                for (int h = 0; h < HIDDEN; h++) {
                    logit += flat[SECOND + c * HIDDEN + h] * hidden[h];
                }
                total += Math.exp(logit);
                own = c == samples.label(s) ? logit : own;
            }
            loss += Math.log(total) - own;
        }
        return loss / samples.size();
    }
}
