package dev.levee.federated.images;

import org.ojalgo.matrix.store.R064Store;

/**
 * Mean and unbiased covariance of features.
 *
 * @param mean mean by feature
 * @param covariance features × features, divided by the number of samples less one
 */
record Moments(double[] mean, R064Store covariance) {
    static {
        // Otherwise, the library prints that it has no profile of this machine.
        System.setProperty("shut.up.ojAlgo", "true");
    }

    /**
     * The moments of some samples.
     *
     * @param features the concatenated features of all samples
     * @param count number of samples, at least 2
     */
    static Moments of(float[] features, int count) {
        int width = features.length / count;
        double[] mean = new double[width];
        for (int i = 0; i < features.length; i++) {
            mean[i % width] += features[i] / (double) count;
        }
        R064Store covariance = R064Store.FACTORY.make(width, width);
        double[] centred = new double[width];
        double[][] sums = new double[width][width];
        for (int sample = 0; sample < count; sample++) {
            for (int i = 0; i < width; i++) {
                centred[i] = features[sample * width + i] - mean[i];
            }
            for (int i = 0; i < width; i++) {
                for (int j = 0; j <= i; j++) {
                    sums[i][j] += centred[i] * centred[j];
                }
            }
        }
        for (int i = 0; i < width; i++) {
            for (int j = 0; j <= i; j++) {
                double value = sums[i][j] / (count - 1);
                covariance.set(i, j, value);
                covariance.set(j, i, value);
            }
        }
        return new Moments(mean, covariance);
    }
}
